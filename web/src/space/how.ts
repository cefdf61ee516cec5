/** How replies are made in a space when its agent is not yours to change: kept in this browser, sent along each time. */
import { useSyncExternalStore } from "react";
import type { HowBody } from "../api/types";
import { keep, kept, own } from "../shell/kept";

const NOTHING: HowBody = {};
const known = new Map<string, HowBody>();
const listeners = new Set<() => void>();
const name = (space: string) => own(`how.${space}`);

export function howOf(space: string): HowBody {
  const found = known.get(space);
  if (found) return found;
  let how = NOTHING;
  try {
    how = JSON.parse(kept(name(space)) ?? "{}") as HowBody;
  } catch {
    // What cannot be read was not written by this page.
  }
  known.set(space, how);
  return how;
}

export function setHow(space: string, how: HowBody) {
  known.set(space, how);
  keep(name(space), Object.keys(how).length > 0 ? JSON.stringify(how) : null);
  for (const tell of listeners) tell();
}

export function useHow(space: string): HowBody {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => howOf(space),
  );
}
