/**
 * A space that is looked at: its path up to a head, who is in it, what they have read, what runs, kept true by its events.
 *
 * The path is loaded from its end; earlier stretches on demand. An event either fits at the end of what is shown or something
 * else is looked at now, and then the stretch is read again: there is no third case, and no guess.
 */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { api, asProblem, done, Problem } from "../api/client";
import type { Node, OnPath, Person, Run, SaidNode, Space } from "../api/types";
import { Drafts } from "./drafts";
import { merged, same } from "./merge";
import { type Link, Stream } from "./stream";

/** A tool that asks for leave. */
export interface Asked {
  call: string;
  name: string;
  args: unknown;
  server?: string | null;
  description?: string | null;
}

/** How a tool is doing. */
export interface ToolState {
  name?: string;
  state: "running" | "done" | "failed";
  message?: string;
  took?: number;
}

export interface RoomState {
  status: "loading" | "ready" | "gone" | "failed";
  problem: Problem | null;
  link: Link;
  space: Space | null;
  members: Person[];
  /** The stretch of the path that is loaded, oldest first. */
  nodes: OnPath[];
  /** Remarks that hang on these. */
  remarks: SaidNode[];
  /** Whether there is more before it. */
  earlier: boolean;
  /** Where the viewer's path ends. */
  head: string | null;
  /** Up to which place of the space's order you had read when it was opened: the "New" rule stands there. */
  newAfter: number;
  /** Up to which place each has read. */
  reads: Record<string, number>;
  runs: Run[];
  asked: Asked[];
  tools: Record<string, ToolState>;
  /** What was told lately that is not a message. */
  notice: string | null;
  /** How often it was opened: each time one begins at what is new. */
  opened: number;
}

const FRESH: RoomState = {
  status: "loading",
  problem: null,
  link: "connecting",
  space: null,
  members: [],
  nodes: [],
  remarks: [],
  earlier: false,
  head: null,
  newAfter: 0,
  reads: {},
  runs: [],
  asked: [],
  tools: {},
  notice: null,
  opened: 0,
};

/** After how long what could not be read is read again. */
const AGAIN = 2_000;
const STRETCH = 150;
/** Whoever scrolls up wants more of it. */
const MORE = 400;
/** Runs that ended stay on the screen for so long. */
const ENDED = 8_000;

const OVER = new Set(["completed", "failed", "canceled"]);
export const isOver = (run: Run) => OVER.has(run.status);

export class Room {
  readonly drafts = new Drafts();
  private current: RoomState = FRESH;
  private readonly listeners = new Set<() => void>();
  private stream: Stream | null = null;
  private watchers = 0;
  private reading: Promise<void> | null = null;
  private stale = false;
  private opening = 0;
  private growing: Promise<void> | null = null;
  private readonly ears = new Set<(said: SaidNode | null) => void>();

  /** `fixed` is a head that is only looked at; the viewer's own if there is none. */
  constructor(
    readonly id: string,
    readonly fixed: string | null,
    private readonly me: string,
  ) {}

  get state() {
    return this.current;
  }

  subscribe = (tell: () => void) => {
    this.listeners.add(tell);
    return () => this.listeners.delete(tell);
  };

  /** Told of each node that is new or changed, wherever in the tree it hangs; of none when something was missed. */
  onNode = (tell: (said: SaidNode | null) => void) => {
    this.ears.add(tell);
    return () => void this.ears.delete(tell);
  };

  private set(change: Partial<RoomState>) {
    this.current = { ...this.current, ...change };
    for (const tell of this.listeners) tell();
  }

  /** Somebody looks. */
  watch(): () => void {
    if (this.watchers++ === 0) void this.open();
    return () => {
      if (--this.watchers === 0) this.close();
    };
  }

  private async open() {
    const opening = ++this.opening;
    if (this.current.status === "failed") this.set({ status: "loading", problem: null });
    try {
      const space = await done(api.GET("/api/spaces/{space}", { params: { path: { space: this.id } } }));
      const moment = await this.read("opened");
      // Left meanwhile, or left and come back to: then another opens it.
      if (this.watchers === 0 || opening !== this.opening) return;
      this.set({
        space: space.space,
        members: space.members,
        reads: { ...this.current.reads, ...space.reads },
        status: "ready",
      });
      this.stream?.close();
      this.stream = this.listen(moment);
    } catch (fault) {
      if (opening === this.opening) this.fail(fault);
    }
  }

  private close() {
    this.stream?.close();
    this.stream = null;
    this.drafts.clear();
    const read = this.current.reads[this.me] ?? 0;
    this.set({ runs: [], asked: [], tools: {}, notice: null, newAfter: Math.max(this.current.newAfter, read) });
  }

  private fail(fault: unknown) {
    const problem = asProblem(fault);
    this.set({ status: problem.status === 404 ? "gone" : "failed", problem });
  }

  /** Tries once more to open what could not be opened. */
  retry() {
    if (this.watchers > 0 && !this.stream) void this.open();
  }

  /** Reads the end of the path. Gives the moment from which events go on. */
  private async read(why: "opened" | "changed"): Promise<string> {
    const query = { limit: STRETCH, ...(this.fixed ? { head: this.fixed } : {}) };
    const path = await done(api.GET("/api/spaces/{space}/path", { params: { path: { space: this.id }, query } }));
    const old = new Map(this.current.nodes.map((one) => [one.node.id, one]));
    const nodes = path.nodes.map((one) => same(old.get(one.node.id), one));
    const known = this.current.nodes;
    const joint = nodes[0] ? known.findIndex((one) => one.node.id === nodes[0]?.node.id) : -1;
    // What was loaded before it stays, where the two stretches meet.
    const kept = joint > 0;
    this.set({
      nodes: kept ? [...known.slice(0, joint), ...nodes] : nodes,
      remarks: kept ? merged(this.current.remarks, path.remarks) : path.remarks,
      earlier: kept ? this.current.earlier : path.earlier,
      head: path.head ?? null,
      // With what is new, and not after it: what came while nobody looked did not arrive before anybody's eyes.
      ...(why === "opened"
        ? {
            opened: this.current.opened + 1,
            newAfter: path.read,
            reads: { ...this.current.reads, [this.me]: path.read },
          }
        : {}),
    });
    return path.moment;
  }

  /** Reads the path again; more wishes while it is read become one. */
  refresh(): Promise<void> {
    this.stale = true;
    this.reading ??= (async () => {
      try {
        while (this.stale) {
          this.stale = false;
          await this.read("changed");
        }
      } catch (fault) {
        if (fault instanceof Problem && fault.status === 404) this.fail(fault);
        else setTimeout(() => this.watchers > 0 && void this.refresh(), AGAIN);
      } finally {
        this.reading = null;
      }
    })();
    return this.reading;
  }

  /** Loads the stretch before the first node that is shown. */
  grow(): Promise<void> {
    const first = this.current.nodes[0];
    if (!first || !this.current.earlier) return Promise.resolve();
    this.growing ??= (async () => {
      try {
        const head = this.fixed ?? this.current.head;
        const query = { limit: MORE, before: first.node.id, ...(head ? { head } : {}) };
        const path = await done(api.GET("/api/spaces/{space}/path", { params: { path: { space: this.id }, query } }));
        if (this.current.nodes[0]?.node.id !== first.node.id) return;
        this.set({
          nodes: [...path.nodes, ...this.current.nodes],
          remarks: merged(path.remarks, this.current.remarks),
          earlier: path.earlier,
        });
      } finally {
        this.growing = null;
      }
    })();
    return this.growing;
  }

  /** Loads until a node is among what is shown; whether it is. */
  async reach(node: string): Promise<boolean> {
    const there = () => this.current.nodes.some((one) => one.node.id === node);
    while (!there() && this.current.earlier) await this.grow();
    return there();
  }

  /** You have read up to this node. */
  async readUpTo(seq: number, node: string) {
    if ((this.current.reads[this.me] ?? 0) >= seq) return;
    this.set({ reads: { ...this.current.reads, [this.me]: seq } });
    await done(api.PUT("/api/spaces/{space}/read", { params: { path: { space: this.id } }, body: { node } })).catch(
      () => {},
    );
  }

  /** The "New" rule has done its work. */
  settle() {
    const last = this.current.nodes.at(-1);
    if (last) this.set({ newAfter: last.seq });
  }

  answered(call: string) {
    this.set({ asked: this.current.asked.filter((one) => one.call !== call) });
  }

  private listen(after: string): Stream {
    return new Stream({
      after,
      address: (after) => `/api/spaces/${encodeURIComponent(this.id)}/events${after ? `?after=${after}` : ""}`,
      link: (link) => this.set({ link }),
      refused: async () => {
        try {
          await done(api.GET("/api/spaces/{space}", { params: { path: { space: this.id } } }));
        } catch (fault) {
          if (fault instanceof Problem && (fault.status === 404 || fault.status === 401)) {
            this.fail(fault);
            return false;
          }
        }
        return true;
      },
      hear: {
        node: (said: SaidNode) => this.node(said),
        head: ({ head, own }: { head: string | null; own: boolean }) => this.moved(head, own),
        member: () => void this.meet(),
        space: ({ space }: { space: Space }) => this.set({ space }),
        read: ({ entity, seq }: { entity: string; seq?: number }) => {
          if (seq !== undefined) this.set({ reads: { ...this.current.reads, [entity]: seq } });
        },
        // The first of each connection: what is asked is told anew behind it.
        runs: ({ runs }: { runs: Run[] }) => this.set({ runs, asked: [] }),
        run: (run: Run) => this.run(run),
        draft: ({ node, text }: { node: string; text: string }) => this.drafts.set(node, text),
        delta: (delta: { node: string; at: number; what: string; text: string }) =>
          this.drafts.add(delta.node, delta.what, delta.at, delta.text),
        permission: (asked: Asked) =>
          this.set({ asked: [...this.current.asked.filter((one) => one.call !== asked.call), asked] }),
        tool: ({ call, ...tool }: ToolState & { call: string }) => {
          this.set({ tools: { ...this.current.tools, [call]: { ...this.current.tools[call], ...tool } } });
          this.answered(call);
        },
        notice: ({ text }: { text: string }) => this.set({ notice: text }),
        resync: () => {
          for (const tell of this.ears) tell(null);
          void this.refresh();
        },
        gone: () => this.fail(new Problem("notFound", "You do not belong to this space any more.", 404)),
      },
    });
  }

  /** Reads again who is here, and what they have read. */
  async meet() {
    const space = await done(api.GET("/api/spaces/{space}", { params: { path: { space: this.id } } })).catch(
      () => null,
    );
    if (space) this.set({ members: space.members, reads: { ...this.current.reads, ...space.reads } });
  }

  /** Something was said or changed; told by the events, or by the answer to what was sent from here. */
  node(said: SaidNode) {
    const { seq, node } = said;
    // What is being read may be older than this.
    if (this.reading) this.stale = true;
    if (node.status !== "pending") this.drafts.end(node.id);
    for (const tell of this.ears) tell(said);
    const nodes = this.current.nodes;
    const at = nodes.findIndex((one) => one.node.id === node.id);
    if (at >= 0) {
      const changed = [...nodes];
      changed[at] = { ...nodes[at]!, node };
      this.set({ nodes: changed });
    } else if (this.remarks(node)) {
      this.set({ remarks: merged(this.current.remarks, [said]) });
    } else if (node.edge === "annotation") {
      // It hangs on something that is not shown.
    } else if (this.follows(node)) {
      this.set({ nodes: [...nodes, { seq, node, place: 1, siblings: 1 }], head: node.id });
    } else if (!this.fixed && nodes.length === 0) {
      void this.refresh();
    } else if (nodes.some((one) => one.node.parent === node.parent)) {
      // A sibling of something that is shown: the counts are others now.
      void this.refresh();
    }
  }

  /** Whether a node hangs on something that is shown, or goes on from a remark: a title, from the wish for one. */
  private remarks({ parent, edge }: Node): boolean {
    const { nodes, remarks } = this.current;
    const hangs = edge === "annotation" && nodes.some((one) => one.node.id === parent);
    return hangs || remarks.some((one) => one.node.id === parent);
  }

  /** Whether a new node goes on where the path ends. Your own head may stay behind on purpose: then `head` says so. */
  private follows(node: Node): boolean {
    const last = this.current.nodes.at(-1);
    return !this.fixed && last !== undefined && node.parent === last.node.id;
  }

  private moved(head: string | null, _own: boolean) {
    if (this.fixed) return;
    if (head !== (this.current.nodes.at(-1)?.node.id ?? null)) void this.refresh();
  }

  private run(run: Run) {
    // What failed stays until its agent does something else, or somebody has read it.
    const failed = (one: Run) => one.agent === run.agent && one.status === "failed";
    const rest = this.current.runs.filter((one) => one.id !== run.id && !failed(one));
    this.set({ runs: [...rest, run] });
    // An agent has read what it ran for; that is told by no event.
    if (isOver(run)) void this.meet();
    if (isOver(run) && run.status !== "failed") setTimeout(() => this.forget(run.id), ENDED);
  }

  /** A run that ended is shown no more. */
  forget(run: string) {
    this.set({ runs: this.current.runs.filter((one) => one.id !== run || !isOver(one)) });
  }

  /** The notice was read. */
  hush() {
    this.set({ notice: null });
  }
}

const rooms = new Map<string, Room>();
const KEPT = 12;

/** The room of a space; the last few are kept, so going back is instant. */
export function roomOf(space: string, head: string | null, me: string): Room {
  const key = `${me}\n${space}\n${head ?? ""}`;
  const found = rooms.get(key) ?? new Room(space, head, me);
  rooms.delete(key);
  rooms.set(key, found);
  for (const [old] of rooms) {
    if (rooms.size <= KEPT) break;
    rooms.delete(old);
  }
  return found;
}

/** A space, live, for as long as it is on the screen. */
export function useRoom(space: string, head: string | null, me: string): [Room, RoomState] {
  const room = useMemo(() => roomOf(space, head, me), [space, head, me]);
  useEffect(() => room.watch(), [room]);
  const state = useSyncExternalStore(room.subscribe, () => room.state);
  return [room, state];
}
