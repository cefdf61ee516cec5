/**
 * The tree as a list: a stretch without forks is one branch, opened by its first node; long plain stretches are folded.
 *
 * A message that simply goes on from another stands at its level: a chain is a list, only forks go deeper.
 */
import { type Folding, shownChildren } from "./cells";
import type { Twig } from "./tree";

export interface Row {
  twig: Twig;
  /** How many are folded into it, itself among them; 1 for a node. */
  count: number;
  level: number;
  /** Whether it can be opened, and is. */
  open: boolean | null;
  place: number;
  of: number;
  /** The row it hangs on, by its number; -1 at the top. */
  above: number;
}

export interface Listing {
  pruned: Folding["pruned"];
  head: string | null;
  /** Whether a branch or a fold is open, by its first node. */
  isOpen: (twig: Twig, what: "branch" | "fold") => boolean;
}

const LEAST = 4;

type Item = { twig: Twig; count: number; inside: Item[] | (() => Item[]); what: "branch" | "fold" | "node" };

export function rows(roots: Twig[], how: Listing): Row[] {
  const all: Row[] = [];
  const shown = how.pruned === "shown" ? roots : roots.filter((root) => !root.glance.flags.includes("pruned"));
  const waiting: { item: Item; level: number; place: number; of: number; above: number }[] = [];
  const push = (items: Item[], level: number, above: number) => {
    for (let at = items.length - 1; at >= 0; at--) {
      waiting.push({ item: items[at]!, level, place: at + 1, of: items.length, above });
    }
  };
  push(
    shown.map((root) => branch(root, how)),
    1,
    -1,
  );
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { item, level, place, of, above } = next;
    const can = item.what === "fold" || shownChildren(item.twig, how.pruned).length > 0;
    const open = item.what === "node" || !can ? null : how.isOpen(item.twig, item.what);
    const number = all.length;
    all.push({ twig: item.twig, count: item.count, level, open, place, of, above });
    if (open) push(typeof item.inside === "function" ? item.inside() : item.inside, level + 1, number);
  }
  return all;
}

function branch(first: Twig, how: Listing): Item {
  return { twig: first, count: 1, what: "branch", inside: () => inside(first, how) };
}

/** What follows the first node of a branch: the rest of its stretch, then the branches that part there. */
function inside(first: Twig, how: Listing): Item[] {
  const stretch: Twig[] = [];
  let next = shownChildren(first, how.pruned);
  while (next.length === 1) {
    stretch.push(next[0]!);
    next = shownChildren(next[0]!, how.pruned);
  }
  return [...folded(stretch, how), ...next.map((twig) => branch(twig, how))];
}

const single = (twig: Twig): Item => ({ twig, count: 1, what: "node", inside: [] });

function folded(stretch: Twig[], how: Listing): Item[] {
  const items: Item[] = [];
  let plain: Twig[] = [];
  const flush = () => {
    const these = plain;
    plain = [];
    if (these.length >= LEAST) {
      items.push({ twig: these[0]!, count: these.length, what: "fold", inside: () => these.map(single) });
    } else items.push(...these.map(single));
  };
  stretch.forEach((twig, at) => {
    const { flags, kind, status, id } = twig.glance;
    const marked = flags.length > 0 || kind !== "message" || status !== "sent" || id === how.head;
    if (marked || at === stretch.length - 1) {
      flush();
      items.push(single(twig));
    } else plain.push(twig);
  });
  flush();
  return items;
}
