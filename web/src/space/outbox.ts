/**
 * What was sent from here and is not yet among what was said. It is shown at once; what could not be sent stays, with its
 * words, until it is sent or thrown away.
 */
import { useSyncExternalStore } from "react";
import { api, done, newKey, type Schemas, told } from "../api/client";
import type { Room } from "../live/room";
import { keep, kept, own } from "../shell/kept";

export type NewMessage = Schemas["NewMessage"];

export interface Unsent {
  key: string;
  body: NewMessage;
  at: string;
  state: "sending" | "failed";
  fault: string | null;
  /** The node that it became. */
  node: string | null;
}

const boxes = new Map<string, readonly Unsent[]>();
const listeners = new Set<() => void>();
const name = (space: string) => own(`unsent.${space}`);

/** What was left unsent when the page was closed comes back as failed: only its writer knows whether it still matters. */
function box(space: string): readonly Unsent[] {
  const found = boxes.get(space);
  if (found) return found;
  let old: Unsent[] = [];
  try {
    old = JSON.parse(kept(name(space)) ?? "[]") as Unsent[];
  } catch {
    // What cannot be read was not written by this page.
  }
  boxes.set(
    space,
    old.map((one) => ({ ...one, state: "failed", fault: one.fault ?? "It was not sent before the page was closed." })),
  );
  return boxes.get(space)!;
}

function set(space: string, all: readonly Unsent[]) {
  boxes.set(space, all);
  const left = all.filter((one) => !one.node);
  keep(name(space), left.length > 0 ? JSON.stringify(left) : null);
  for (const tell of listeners) tell();
}

const change = (space: string, key: string, to: Partial<Unsent>) =>
  set(
    space,
    box(space).map((one) => (one.key === key ? { ...one, ...to } : one)),
  );

export const discard = (space: string, key: string) =>
  set(
    space,
    box(space).filter((one) => one.key !== key),
  );

/** Says something; the same key again is done once. */
async function deliver(room: Room, { key, body }: Pick<Unsent, "key" | "body">) {
  change(room.id, key, { state: "sending", fault: null });
  try {
    const posted = await done(
      api.POST("/api/spaces/{space}/messages", {
        params: { path: { space: room.id } },
        headers: { "Idempotency-Key": key },
        body,
      }),
    );
    room.node(posted.message);
    change(room.id, key, { node: posted.message.node.id });
    discard(room.id, key);
    return posted;
  } catch (fault) {
    change(room.id, key, { state: "failed", fault: told(fault) });
    return null;
  }
}

export function send(room: Room, body: NewMessage) {
  const one: Unsent = { key: newKey(), body, at: new Date().toISOString(), state: "sending", fault: null, node: null };
  set(room.id, [...box(room.id), one]);
  return deliver(room, one);
}

export const sendAgain = (room: Room, one: Unsent) => deliver(room, one);

export function useUnsent(space: string): readonly Unsent[] {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => box(space),
  );
}
