/** What a summary stands for. */
import type { Node } from "../api/types";

/** The messages between the checkpoint before and the last one that a summary covers. */
export function coveredBy(summary: Node, path: readonly Node[]): Node[] {
  const at = path.findIndex((node) => node.id === summary.id);
  const last = summary.covers ? path.findIndex((node) => node.id === summary.covers) : at - 1;
  const before = path.slice(0, Math.max(last, 0)).findLastIndex((node) => node.kind === "summary" && !node.pruned);
  return path.slice(before + 1, last + 1).filter((node) => (node.kind ?? "message") === "message");
}
