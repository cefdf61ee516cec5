/** The rows of the Why tab: nodes with their fates; neighbours with one fate are one row until it is opened. */
import type { Item } from "../api/types";
import { type Parent, spread } from "./fates";
import { isSent, nodesOf } from "./words";

export type Filter = "all" | "in" | "out" | "changed";

export interface WhyRow {
  key: string;
  /** Of a run its first. */
  item: Item;
  /** How many nodes it stands for. */
  nodes: number;
  tokens: number | null;
  /** Whether it can be opened, and is. */
  run: "none" | "closed" | "open";
  /** Whether it stands inside an opened run. */
  inside: boolean;
}

/** Fewer neighbours of one fate are told one by one. */
const FEW = 3;

const passes: Record<Filter, (item: Item) => boolean> = {
  all: () => true,
  in: (item) => isSent(item.decision),
  out: (item) => !isSent(item.decision),
  changed: (item) => item.decision === "shortened" || item.decision === "repaired",
};

const keyOf = (item: Item) => item.node ?? `${item.from}…`;

export function whyRows(items: Item[], filter: Filter, open: ReadonlySet<string>, parent: Parent): WhyRow[] {
  const rows: WhyRow[] = [];
  const all = items.filter(passes[filter]);
  for (let from = 0; from < all.length; ) {
    const first = all[from]!;
    let to = from;
    while (to < all.length && all[to]!.decision === first.decision && all[to]!.reason === first.reason) to++;
    rows.push(...stretch(all.slice(from, to), open, parent));
    from = to;
  }
  return rows;
}

function stretch(items: Item[], open: ReadonlySet<string>, parent: Parent): WhyRow[] {
  const nodes = items.reduce((sum, item) => sum + nodesOf(item), 0);
  const first = items[0]!;
  if (nodes <= FEW && items.every((item) => item.node)) return items.map((item) => single(item, false));
  const key = keyOf(first);
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0);
  const opened = open.has(key);
  const row: WhyRow = {
    key: `run ${key}`,
    item: { ...first, node: null, from: first.node ?? first.from, to: items.at(-1)!.node ?? items.at(-1)!.to },
    nodes,
    tokens,
    run: opened ? "open" : "closed",
    inside: false,
  };
  return opened ? [row, ...items.flatMap((item) => members(item, parent))] : [row];
}

function members(item: Item, parent: Parent): WhyRow[] {
  if (item.node) return [single(item, true)];
  const { decision, reason } = item;
  // Inside a run only the sum is known.
  return spread(item, parent).map((node) => ({
    ...single({ node, decision, reason, tokens: 0, message: null }, true),
    tokens: null,
  }));
}

const single = (item: Item, inside: boolean): WhyRow => ({
  key: keyOf(item),
  item,
  nodes: nodesOf(item),
  tokens: item.tokens,
  run: "none",
  inside,
});

/** What an opened run is remembered by. */
export const runKey = (row: WhyRow) => row.key.slice("run ".length);
