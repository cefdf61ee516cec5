/**
 * What became of each node, one by one, and where two requests differ in it.
 *
 * A report tells of a run of nodes with one fate as one item, by its ends. The nodes between are those on the way from the
 * last up to the first, so the tree says which they are.
 */
import type { Item } from "../api/types";
import { type Decision, isSent, nodesOf, type Reason } from "./words";

export interface Fate {
  node: string;
  decision: Decision;
  reason: Reason;
  /** None inside a run, where only the sum is known. */
  tokens: number | null;
  message: number | null;
}

/** The parent of a node, if it is known. */
export type Parent = (node: string) => string | null | undefined;

/** The nodes of an item, first to last; only its ends where the tree does not lead from one to the other. */
export function spread(item: Item, parent: Parent): string[] {
  if (item.node) return [item.node];
  const { from, to } = item;
  if (!from || !to) return [];
  const way = [to];
  const most = nodesOf(item);
  for (let at = to; at !== from && way.length < most; ) {
    const above = parent(at);
    if (!above) return [from, to];
    way.push(above);
    at = above;
  }
  return way.at(-1) === from ? way.reverse() : [from, to];
}

/** The fate of each node, in the order of the path. */
export function fates(items: Item[], parent: Parent): Fate[] {
  return items.flatMap((item) =>
    spread(item, parent).map((node, at, all) => ({
      node,
      decision: item.decision,
      reason: item.reason,
      tokens: all.length === 1 ? item.tokens : null,
      message: at === 0 ? (item.message ?? null) : null,
    })),
  );
}

export interface Flip {
  node: string;
  /** None where the node is not on that path. */
  before: Fate | null;
  after: Fate | null;
  /** What happens to it from one to the other. */
  turn: "in" | "out" | "other";
}

const sent = (fate: Fate | null) => fate !== null && isSent(fate.decision);

/** Nodes whose fate is another: in, out, or for another reason or in another form. `reasons` counts other reasons, too. */
export function flips(before: Fate[], after: Fate[], reasons = false): Flip[] {
  const old = new Map(before.map((fate) => [fate.node, fate]));
  const now = new Set(after.map((fate) => fate.node));
  const gone = before.filter((fate) => !now.has(fate.node)).map((fate) => flip(fate, null));
  const rest = after.map((fate) => flip(old.get(fate.node) ?? null, fate));
  return [...gone, ...rest].filter((one) => {
    if (one.turn !== "other") return true;
    if (!one.before || !one.after) return false;
    return one.before.decision !== one.after.decision || (reasons && one.before.reason !== one.after.reason);
  });
}

function flip(before: Fate | null, after: Fate | null): Flip {
  const turn = sent(before) === sent(after) ? "other" : sent(after) ? "in" : "out";
  return { node: (after ?? before)!.node, before, after, turn };
}

export interface FlipRun {
  key: string;
  flips: Flip[];
}

const alike = (one: Fate | null, other: Fate | null) =>
  one?.decision === other?.decision && one?.reason === other?.reason;

/** Neighbours that flip alike, together. */
export function flipRuns(all: Flip[]): FlipRun[] {
  const runs: FlipRun[] = [];
  for (const flip of all) {
    const last = runs.at(-1);
    const before = last?.flips.at(-1);
    if (last && before && alike(before.before, flip.before) && alike(before.after, flip.after)) last.flips.push(flip);
    else runs.push({ key: flip.node, flips: [flip] });
  }
  return runs;
}

/** How many nodes are sent, and how many not. */
export function tally(items: Item[]): { sent: number; left: number } {
  const all = { sent: 0, left: 0 };
  for (const item of items) all[isSent(item.decision) ? "sent" : "left"] += nodesOf(item);
  return all;
}
