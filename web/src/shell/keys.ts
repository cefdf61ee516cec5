/**
 * Keys. Single letters act only while no field has the focus, and can be turned off (WCAG 2.1.4).
 *
 * A key is written as `Ctrl+K`, `Alt+ArrowUp`, `j`, `?`. Whoever was added last is asked first; Ctrl is also Command.
 */
import { useEffect, useRef, useSyncExternalStore } from "react";
import { keep, kept } from "./kept";

export interface Key {
  /** Empty for an act that only the palette offers. */
  key: string;
  /** What it does, for the list of keys and the palette. */
  says: string;
  act: () => void;
  /** Whether it acts inside fields, too. */
  inFields?: boolean;
}

let keys: Key[] = [];
const listeners = new Set<() => void>();

function set(next: Key[]) {
  keys = next;
  for (const tell of listeners) tell();
}

/** Whether single letters act. */
export const letters = {
  on: () => kept("letters") !== "off",
  set: (on: boolean) => keep("letters", on ? "on" : "off"),
};

const FIELDS = "input, textarea, select, [contenteditable]:not([contenteditable=false])";

function written(event: KeyboardEvent): string {
  const name = event.key === " " ? "Space" : event.key;
  const held = [event.ctrlKey || event.metaKey ? "Ctrl+" : "", event.altKey ? "Alt+" : ""].join("");
  const shift = event.shiftKey && (name.length > 1 || held) ? "Shift+" : "";
  return held + shift + (held && name.length === 1 ? name.toUpperCase() : name);
}

function pressed(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return;
  const name = written(event);
  const target = event.target instanceof Element ? event.target : null;
  const field = target?.closest(FIELDS) ?? null;
  const single = name.length === 1;
  if (single && !letters.on()) return;
  const found = [...keys].reverse().find((one) => one.key === name && (one.inFields || !field));
  if (!found) return;
  event.preventDefault();
  found.act();
}

if (typeof window !== "undefined") window.addEventListener("keydown", pressed);

/** Keys that hold while a component is on the screen. */
export function useKeys(wanted: Key[]) {
  const latest = useRef(wanted);
  latest.current = wanted;
  const names = wanted.map((one) => `${one.key}\t${one.says}\t${one.inFields ? 1 : 0}`).join("\n");
  useEffect(() => {
    const held = latest.current.map((one, at) => ({ ...one, act: () => latest.current[at]?.act() }));
    if (names) set([...keys, ...held]);
    return () => set(keys.filter((one) => !held.includes(one)));
  }, [names]);
}

/** All keys that act now. */
export function useAllKeys(): Key[] {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => keys,
  );
}
