/** Read receipts. */
import type { OnPath } from "../api/types";

/** Those whose place is between this message of yours and your next one. */
export function seers(said: OnPath, nodes: readonly OnPath[], reads: Record<string, number>, me: string): string[] {
  const next = nodes.find((one) => one.seq > said.seq && one.node.author === me)?.seq ?? Number.POSITIVE_INFINITY;
  return Object.keys(reads).filter((who) => who !== me && reads[who]! >= said.seq && reads[who]! < next);
}
