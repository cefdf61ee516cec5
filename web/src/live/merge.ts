/** Stretches of a path that meet. */
import type { OnPath, SaidNode } from "../api/types";

/** The old object where nothing changed, so that nothing is drawn again. */
export function same(old: OnPath | undefined, now: OnPath): OnPath {
  return old && JSON.stringify(old) === JSON.stringify(now) ? old : now;
}

export function merged(one: SaidNode[], other: SaidNode[]): SaidNode[] {
  const all = new Map([...one, ...other].map((said) => [said.node.id, said]));
  return [...all.values()].sort((a, b) => a.seq - b.seq);
}
