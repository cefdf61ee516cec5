/**
 * What is drawn of a tree: cells. A cell is a node, or a long stretch without forks and without anything to be seen on it, folded
 * into one: a chain of ten thousand stays a picture that can be read.
 */
import { has, type Twig } from "./tree";

export interface Cell {
  /** The node, or the first of those folded. */
  twig: Twig;
  /** All that are folded here, oldest first; none if the cell is one node. */
  folded: Twig[] | null;
  parent: Cell | null;
  children: Cell[];
  level: number;
  x: number;
  y: number;
}

export interface Folding {
  /** Whether long stretches are folded at all. */
  fold: boolean;
  /** Folds that were opened, by their first node. */
  opened: ReadonlySet<string>;
  pruned: "shown" | "hidden";
  head: string | null;
}

/** Fewer than this are not worth a fold. */
const LEAST = 4;

export const shownChildren = (twig: Twig, pruned: Folding["pruned"]) =>
  pruned === "shown" ? twig.children : twig.children.filter((child) => !has(child, "pruned"));

/** Whether a node is one of many alike: one way in, one way on, nothing marked on it. */
function plain(twig: Twig, how: Folding): boolean {
  const { glance } = twig;
  return (
    glance.id !== how.head &&
    glance.flags.length === 0 &&
    glance.kind === "message" &&
    glance.status === "sent" &&
    glance.edge === "continuation" &&
    twig.parent !== null &&
    shownChildren(twig.parent, how.pruned).length === 1 &&
    shownChildren(twig, how.pruned).length === 1
  );
}

/** The stretch that begins at a node, as far as it can be folded. */
function stretch(from: Twig, how: Folding): Twig[] {
  const all: Twig[] = [];
  for (let at: Twig | undefined = from; at && plain(at, how); at = shownChildren(at, how.pruned)[0]) all.push(at);
  return all;
}

/** The cells of a tree; parents before children. */
export function cells(roots: Twig[], how: Folding): Cell[] {
  const all: Cell[] = [];
  const waiting: { twig: Twig; parent: Cell | null; open: boolean }[] = [];
  const push = (twigs: Twig[], parent: Cell | null, open: boolean) => {
    for (let at = twigs.length - 1; at >= 0; at--) waiting.push({ twig: twigs[at]!, parent, open });
  };
  push(how.pruned === "shown" ? roots : roots.filter((root) => !has(root, "pruned")), null, false);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { twig, parent } = next;
    // A fold that was opened stays open to its end.
    const open = how.opened.has(twig.glance.id) || (next.open && plain(twig, how));
    const run = how.fold && !open ? stretch(twig, how) : [];
    const folded = run.length >= LEAST ? run : null;
    const level = parent ? parent.level + 1 : 0;
    const cell: Cell = { twig, folded, parent, children: [], level, x: 0, y: 0 };
    parent?.children.push(cell);
    all.push(cell);
    push(shownChildren(folded?.at(-1) ?? twig, how.pruned), cell, open);
  }
  return all;
}
