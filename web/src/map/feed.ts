/** The tree of a space, read in pages and kept true by the room's events. */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { api, asProblem, done, type Problem } from "../api/client";
import type { SaidNode } from "../api/types";
import type { Room } from "../live/room";
import { glanceOf, Tree, type Twig } from "./tree";

const PAGE = 10_000;

export interface FeedState {
  tree: Tree;
  /** Another number when anything is other than before. */
  version: number;
  status: "loading" | "ready" | "failed";
  problem: Problem | null;
}

export class Feed {
  private state: FeedState = { tree: new Tree(), version: 0, status: "loading", problem: null };
  private readonly listeners = new Set<() => void>();
  private readonly grown = new Set<(twig: Twig) => void>();
  private reading = false;
  private missed = false;
  private watchers = 0;
  private deafen = () => {};

  constructor(readonly space: string) {}

  current = () => this.state;

  subscribe = (tell: () => void) => {
    this.listeners.add(tell);
    return () => void this.listeners.delete(tell);
  };

  /** Told of each new twig, before the version changes. */
  onGrown = (tell: (twig: Twig) => void) => {
    this.grown.add(tell);
    return () => void this.grown.delete(tell);
  };

  private set(change: Partial<FeedState>) {
    this.state = { ...this.state, ...change, version: this.state.version + 1 };
    for (const tell of this.listeners) tell();
  }

  /** Somebody looks: as long as anybody does, it hears what happens in the room. */
  watch(room: Room): () => void {
    if (this.watchers++ === 0) {
      this.deafen = room.onNode(this.hear);
      void this.read(0);
    }
    return () => {
      if (--this.watchers === 0) this.deafen();
    };
  }

  /** Reads what came after a place: all of it if that is 0. */
  async read(after: number): Promise<void> {
    if (this.reading) {
      this.missed = true;
      return;
    }
    this.reading = true;
    try {
      let from = after;
      for (;;) {
        const params = { path: { space: this.space }, query: { after: from, limit: PAGE } };
        const { nodes } = await done(api.GET("/api/spaces/{space}/tree", { params }));
        for (const glance of nodes) this.put(glance);
        from = nodes.at(-1)?.seq ?? from;
        if (nodes.length < PAGE) break;
        this.set({});
      }
      this.set({ status: "ready", problem: null });
    } catch (fault) {
      const problem = asProblem(fault);
      this.set({ status: this.state.tree.size > 0 ? "ready" : "failed", problem });
    } finally {
      this.reading = false;
    }
    if (this.missed) {
      this.missed = false;
      await this.read(this.state.tree.last);
    }
  }

  private put(glance: Parameters<Tree["put"]>[0]) {
    const twig = this.state.tree.put(glance);
    if (twig) for (const tell of this.grown) tell(twig);
  }

  /** Something was heard of; none when something was missed. */
  hear = (said: SaidNode | null) => {
    if (!said) {
      void this.read(0);
      return;
    }
    const glance = glanceOf(said);
    // What came between is read first: a twig is never hung on nothing.
    if (!this.state.tree.takes(glance) || glance.seq > this.state.tree.last + 1) void this.read(this.state.tree.last);
    else {
      this.put(glance);
      this.set({});
    }
  };
}

const feeds = new Map<string, Feed>();
const KEPT = 3;

function feedOf(space: string): Feed {
  const feed = feeds.get(space) ?? new Feed(space);
  feeds.delete(space);
  feeds.set(space, feed);
  for (const [old] of feeds) {
    if (feeds.size <= KEPT) break;
    feeds.delete(old);
  }
  return feed;
}

/** The tree of a room's space, live. What was read before is shown at once, and read again. */
export function useTree(room: Room): FeedState & { feed: Feed } {
  const feed = useMemo(() => feedOf(room.id), [room]);
  useEffect(() => feed.watch(room), [room, feed]);
  const state = useSyncExternalStore(feed.subscribe, feed.current);
  return { ...state, feed };
}
