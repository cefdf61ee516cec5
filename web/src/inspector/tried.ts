/** What is tried in a space: choices that are laid over its own, kept by this browser until they are applied or reset. */
import { useSyncExternalStore } from "react";
import type { Settings } from "../api/types";
import { keep, kept } from "../shell/kept";

export interface Tried {
  settings: Settings;
  model?: string;
}

export const NOTHING: Tried = { settings: {} };

const listeners = new Set<() => void>();
const known = new Map<string, Tried>();
const name = (space: string) => `try.${space}`;

function read(space: string): Tried {
  try {
    const found: unknown = JSON.parse(kept(name(space)) ?? "null");
    if (typeof found === "object" && found && "settings" in found) return found as Tried;
  } catch {
    // What cannot be read was never tried.
  }
  return NOTHING;
}

export function triedIn(space: string): Tried {
  const found = known.get(space) ?? read(space);
  known.set(space, found);
  return found;
}

export function setTried(space: string, tried: Tried) {
  known.set(space, tried);
  keep(name(space), isNothing(tried) ? null : JSON.stringify(tried));
  for (const tell of listeners) tell();
}

export function useTried(space: string): Tried {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => triedIn(space),
  );
}

export const isNothing = ({ settings, model }: Tried) => Object.keys(settings).length === 0 && model === undefined;
