/** All spaces of the one who is signed in, and the runs that wait for them, kept true by the account's events. */
import { useSyncExternalStore } from "react";
import { api, done, Problem } from "../api/client";
import type { Run, SpaceCard } from "../api/types";
import { type Link, Stream } from "./stream";

export interface HouseState {
  link: Link;
  /** Whether all spaces are known by now. */
  ready: boolean;
  /** Newest first. */
  spaces: SpaceCard[];
  /** Runs that go on only when this person does something, newest first; none while nobody knows. */
  waiting: Run[] | null;
}

let current: HouseState = { link: "connecting", ready: false, spaces: [], waiting: null };
const listeners = new Set<() => void>();
const changes = new Set<(card: SpaceCard) => void>();
const waits = new Set<() => void>();
let stream: Stream | null = null;
let awaited = new Set<string>();

function set(change: Partial<HouseState>) {
  current = { ...current, ...change };
  for (const tell of listeners) tell();
}

/** Spaces come one by one, hundreds of them at first: they are put on the screen together. */
const TOGETHER = 40;
let arrived = new Map<string, SpaceCard>();
let timer: ReturnType<typeof setTimeout> | undefined;

function put(card: SpaceCard) {
  arrived.set(card.id, card);
  timer ??= setTimeout(putAll, TOGETHER);
}

function putAll() {
  timer = undefined;
  const cards = arrived;
  arrived = new Map();
  const rest = current.spaces.filter((one) => !cards.has(one.id));
  const spaces = [...rest, ...cards.values()].sort(newest);
  for (const id of cards.keys()) awaited.delete(id);
  set({ spaces, ready: awaited.size === 0 });
  for (const card of cards.values()) for (const tell of changes) tell(card);
}

/** The id decides between equals, so that nothing jumps. */
function newest(one: SpaceCard, other: SpaceCard): number {
  const [a, b] = [one.lastAt ?? "", other.lastAt ?? ""];
  if (a !== b) return a < b ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}

/** Whether the stream stays when nobody sees the tab: one tab of all may, so that it can call. */
let keeps = false;

/** Whether this tab is the one that calls. */
export const isKeeper = () => keeps;

function keepOne() {
  if (!("locks" in navigator)) return;
  void navigator.locks.request("weft-account", () => {
    keeps = true;
    stream?.wake();
    return new Promise(() => {});
  });
}

/** Begins to follow the account. */
export function follow(refused: () => void) {
  if (stream) return;
  keepOne();
  stream = new Stream({
    address: () => "/api/events",
    link: (link) => set({ link }),
    unseen: () => keeps,
    refused: async () => {
      try {
        await done(api.GET("/api/session"));
      } catch (fault) {
        if (fault instanceof Problem && fault.status === 401) {
          refused();
          return false;
        }
      }
      return true;
    },
    hear: {
      spaces: ({ spaces }: { spaces: string[] }) => {
        const ids = new Set(spaces);
        awaited = new Set(spaces.filter((id) => !current.spaces.some((card) => card.id === id)));
        set({ spaces: current.spaces.filter((card) => ids.has(card.id)), ready: awaited.size === 0 });
      },
      space: put,
      waiting: ({ runs }: { runs: Run[] }) => {
        set({ waiting: runs });
        for (const tell of waits) tell();
      },
      left: ({ space }: { space: string }) => {
        arrived.delete(space);
        set({ spaces: current.spaces.filter((card) => card.id !== space) });
      },
    },
  });
}

/** Nobody is signed in any more. */
export function leave() {
  stream?.close();
  stream = null;
  clearTimeout(timer);
  timer = undefined;
  arrived.clear();
  set({ spaces: [], ready: false, link: "connecting", waiting: null });
}

/** Told of each space that changed. */
export function onChange(tell: (card: SpaceCard) => void): () => void {
  changes.add(tell);
  return () => changes.delete(tell);
}

/** Told when other runs wait for this person than before. */
export function onWaiting(tell: () => void): () => void {
  waits.add(tell);
  return () => waits.delete(tell);
}

export function useHouse(): HouseState {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => current,
  );
}
