/**
 * Where the cells of a tree stand: time goes to the right, branches lie below each other, no edge crosses another.
 *
 * Cells of one level are kept in their order from top to bottom, and the edges between two levels never cross: whatever is inside
 * a window is one stretch of each level, found by halving. That is all the index that drawing and pointing need.
 */
import { type Cell, cells, type Folding } from "./cells";
import { tidy } from "./tidy";
import type { Tree, Twig } from "./tree";

export const COLUMN = 190;
export const ROW = 30;

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Layout {
  levels: Cell[][];
  /** The cell in which a node is. */
  cellOf: Map<string, Cell>;
  box: Box;
  folding: Folding;
}

export function layout(tree: Tree, folding: Folding): Layout {
  const all = cells(tree.roots, folding);
  tidy(all, ROW, ROW * 1.35);
  const levels: Cell[][] = [];
  const cellOf = new Map<string, Cell>();
  const box = { left: 0, top: 0, right: 0, bottom: 0 };
  for (const cell of all) {
    cell.x = cell.level * COLUMN;
    const level = levels[cell.level] ?? [];
    levels[cell.level] = level;
    level.push(cell);
    for (const twig of cell.folded ?? [cell.twig]) cellOf.set(twig.glance.id, cell);
    widen(box, cell);
  }
  for (const level of levels) level.sort((one, other) => one.y - other.y);
  return { levels, cellOf, box, folding };
}

function widen(box: Box, cell: Cell) {
  box.right = Math.max(box.right, cell.x + COLUMN);
  box.top = Math.min(box.top, cell.y);
  box.bottom = Math.max(box.bottom, cell.y);
}

/**
 * Puts a new node where there is room, and moves nothing else. Whether it could: a node that hangs on a folded one needs another
 * layout.
 */
export function place(laid: Layout, twig: Twig): boolean {
  const parent = twig.parent ? laid.cellOf.get(twig.parent.glance.id) : null;
  if (parent === undefined) return false;
  if (parent?.folded) return false;
  const level = parent ? parent.level + 1 : 0;
  const row = laid.levels[level] ?? [];
  laid.levels[level] = row;
  const last = parent ? parent.children.at(-1) : row.at(-1);
  const y = free(row, last ? last.y + ROW : (parent?.y ?? 0));
  const cell: Cell = { twig, folded: null, parent, children: [], level, x: level * COLUMN, y };
  parent?.children.push(cell);
  row.splice(
    first(row, (one) => one.y >= y),
    0,
    cell,
  );
  laid.cellOf.set(twig.glance.id, cell);
  widen(laid.box, cell);
  return true;
}

/** The first height from `y` on where nothing stands in the way. */
function free(row: Cell[], y: number): number {
  let at = y;
  for (let next = first(row, (one) => one.y > y - ROW); next < row.length; next++) {
    if (row[next]!.y - at >= ROW) break;
    at = row[next]!.y + ROW;
  }
  return at;
}

/** Where a test begins to hold, in an order in which it then goes on to hold. */
export function first<T>(row: T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, row.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(row[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The cells of a level whose node or whose edge comes into a window from `top` to `bottom`. */
export function within(row: Cell[], top: number, bottom: number): [from: number, to: number] {
  const from = first(row, (cell) => Math.max(cell.y, cell.parent?.y ?? cell.y) >= top);
  const to = first(row, (cell) => Math.min(cell.y, cell.parent?.y ?? cell.y) > bottom);
  return [from, Math.max(from, to)];
}

/** The cell at a place; its label counts where labels are shown. */
export function hit(laid: Layout, x: number, y: number, reach: number, labels: boolean): Cell | null {
  const level = Math.floor((x + reach) / COLUMN);
  const row = laid.levels[level];
  if (!row) return null;
  const across = x - level * COLUMN;
  if (across > (labels ? COLUMN - 24 : reach)) return null;
  const from = first(row, (cell) => cell.y >= y - reach);
  let best: Cell | null = null;
  for (let at = from; at < row.length && row[at]!.y <= y + reach; at++) {
    if (!best || Math.abs(row[at]!.y - y) < Math.abs(best.y - y)) best = row[at]!;
  }
  return best;
}
