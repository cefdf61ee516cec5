/** How several ways on are asked for. */
import type { HowBody } from "../api/types";

/** Each in its own way: without another seed some models write the same again. */
export function waysOf(how: HowBody, amount: number, seed: number): HowBody[] {
  if (amount === 1) return [how];
  const first = how.sampling?.seed ?? seed;
  return Array.from({ length: amount }, (_, at) => ({ ...how, sampling: { ...how.sampling, seed: first + at } }));
}
