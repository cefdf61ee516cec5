/** What the next request leaves out, shown where it stands. One question to the server, after things have settled. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { api, done } from "../api/client";
import { keep, kept } from "../shell/kept";
import { useLook, useOpened } from "./context";
import { leftOut, type Reason } from "./rows";
import type { Talking } from "./talking";

const listeners = new Set<() => void>();
export const bandOn = () => kept("band") === "on";

export function setBand(on: boolean) {
  keep("band", on ? "on" : null);
  for (const tell of listeners) tell();
}

const subscribe = (tell: () => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};

export const useBandOn = () => useSyncExternalStore(subscribe, bandOn);

const SETTLED = 600;
const NOTHING: ReadonlyMap<string, Reason> = new Map();

/** A value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export function useBand(talking: Talking): ReadonlyMap<string, Reason> {
  const { room, state } = useOpened();
  const [search] = useLook();
  const chosen = useBandOn();
  const wanted = chosen || search.inspect !== undefined;
  const agent = search.as ?? talking.agent?.id;
  const { nodes } = state;
  // Flags change what is sent as much as words do.
  const shape = useMemo(
    () =>
      nodes
        .map(({ node }) => `${node.id}${node.status}${node.excluded}${node.pruned}${node.pinned}${node.contextEdge}`)
        .join(),
    [nodes],
  );
  const settled = useSettled(shape);
  const head = room.fixed ?? undefined;
  const asked = useQuery({
    queryKey: ["band", room.id, agent, head, settled],
    queryFn: () =>
      done(
        api.POST("/api/spaces/{space}/assemble", {
          params: { path: { space: room.id } },
          body: { agent, ...(head ? { head, answer: "reply" as const } : {}) },
        }),
      ),
    enabled: wanted && agent !== undefined && nodes.length > 0,
    placeholderData: (before) => before,
    retry: false,
  });
  const items = wanted ? asked.data?.report.items : undefined;
  return useMemo(() => (items ? leftOut(nodes, items) : NOTHING), [items, nodes]);
}
