/** From node to node on the map: back, on, to the branch above or below. */
import type { Cell } from "./cells";
import type { Layout } from "./layout";

export type Way = "parent" | "child" | "next" | "previous";

export function stepped(laid: Layout, from: string | null, way: Way): Cell | null {
  const cell = from ? laid.cellOf.get(from) : laid.levels[0]?.[0];
  if (!cell) return null;
  if (way === "parent") return cell.parent;
  if (way === "child") return cell.children[0] ?? null;
  const row = laid.levels[cell.level] ?? [];
  return row[row.indexOf(cell) + (way === "next" ? 1 : -1)] ?? null;
}
