/** A request that is looked at, with all that is known of it. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { CallRecord, HowBody, Report } from "../api/types";
import { isChat, useOpened } from "../space/context";
import { useTyped } from "../space/draft";
import { useHow } from "../space/how";
import { assemble, bytesOf, callOf, callsOf, type Next, reportOf } from "./ask";
import { useLater } from "./later";
import type { Subject } from "./subject";
import { useTried } from "./tried";
import type { Dialect } from "./words";

export interface Seen {
  /** None where nothing tells how it was made. */
  report: Report | null;
  /** The bytes; null where they are not kept. */
  body: string | null;
  dialect: Dialect | null;
  model: string | null;
  /** The call, if it was sent. */
  call: CallRecord | null;
}

/** Bodies are large: what is not looked at any more is let go soon. */
const BRIEFLY = 30_000;

let revisions = 0;
const SETTLES = 250;

/** A number that grows whenever something in the space may have changed what would be sent. */
export function useRevision(): number {
  const { nodes, remarks, space, members } = useOpened().state;
  const [revision, set] = useState(() => ++revisions);
  const known = useRef<unknown[]>([nodes, remarks, space, members]);
  useEffect(() => {
    const now = [nodes, remarks, space, members];
    if (now.every((one, at) => one === known.current[at])) return;
    const timer = setTimeout(() => {
      known.current = now;
      set(++revisions);
    }, SETTLES);
    return () => clearTimeout(timer);
  }, [nodes, remarks, space, members]);
  return revision;
}

/** The newest calls of a space. */
export function useNewest(space: string, revision: number) {
  return useQuery({
    queryKey: ["calls", space, "newest", revision],
    queryFn: ({ signal }) => callsOf(space, null, 50, signal),
    placeholderData: (old, query) => (query?.queryKey[1] === space ? old : undefined),
  });
}

/** The call that the next request of an agent follows. */
export function previousOf(calls: CallRecord[], agent: string | null): string | null {
  const fit = (call: CallRecord) => call.purpose === "reply" && (agent === null || call.agent === agent);
  return calls.find((call) => fit(call) && call.outcome !== null)?.id ?? null;
}

interface NextOf extends Next {
  revision: number;
  enabled?: boolean;
}

export function useNext({ revision, enabled = true, ...next }: NextOf) {
  return useQuery({
    enabled,
    gcTime: BRIEFLY,
    queryKey: ["next", next.space, next.as, next.dialect, next, revision],
    queryFn: ({ signal }) => assemble(next, signal),
    select: (found): Seen => ({ ...found, body: found.request, call: null }),
    // While it is asked for again the old one stays, but never that of another agent.
    placeholderData: (old, query) =>
      query && query.queryKey[1] === next.space && query.queryKey[2] === next.as && query.queryKey[3] === next.dialect
        ? old
        : undefined,
  });
}

export function useCall(space: string | null, call: string, enabled = true) {
  return useQuery({
    enabled,
    gcTime: BRIEFLY,
    // What was sent never changes; how it ended does, until it has.
    staleTime: 60_000,
    queryKey: ["call", space, call],
    queryFn: async ({ signal }): Promise<Seen> => {
      const place = { space, call };
      const record = await callOf(place, signal);
      const [report, body] = await Promise.all([reportOf(place, signal), bytesOf(place, "request", signal)]);
      return { report, body, dialect: report?.dialect ?? null, model: record.model ?? null, call: record };
    },
  });
}

const NO_WISHES: HowBody = {};
const TYPED = 500;
/** The server takes no longer one. */
const LONGEST = 60_000;

/** The next request of an agent: in a chat as if the composer's text were said now, elsewhere that of its next run. */
export function useBase(as: string | null): Next {
  const { state, room } = useOpened();
  const chat = isChat(state.members);
  const how = useHow(room.id);
  const [typed] = useTyped(room.id);
  const text = useLater(typed.trim().slice(0, LONGEST), TYPED);
  return {
    space: room.id,
    as,
    head: chat ? room.fixed : null,
    input: chat && !room.fixed ? text || null : null,
    how: chat ? how : NO_WISHES,
    previous: null,
    dialect: null,
    tried: null,
  };
}

/** What a subject of the open space is: one hook for all, so that any two can be compared. */
export function useSubject(subject: Subject, revision: number, dialect: Dialect | null) {
  const space = useOpened().room.id;
  const tried = useTried(space);
  const newest = useNewest(space, revision);
  const as = subject.kind === "call" ? null : subject.as;
  const previous = previousOf(newest.data?.calls ?? [], as);
  const base = useBase(as);
  const next = useNext({
    ...base,
    previous: dialect ? null : previous,
    dialect,
    tried: subject.kind === "try" ? tried : null,
    revision,
    enabled: subject.kind !== "call" && !newest.isPending,
  });
  const call = useCall(space, subject.kind === "call" ? subject.call : "", subject.kind === "call");
  return { found: subject.kind === "call" ? call : next, previous };
}
