/** What is worth calling somebody for. Pure. */
import type { Run } from "../api/types";

/** What is new among those that wait; none the first time, when everything is. */
export function begun(before: ReadonlySet<string> | null, waiting: readonly Run[]): Run[] {
  return before ? waiting.filter((run) => !before.has(run.id)) : [];
}

/** Whether a space has more unread than before; a space that was not known has nothing new. */
export function grew(before: number | undefined, now: number): boolean {
  return before !== undefined && now > before;
}
