/**
 * The files that are to come in: each is looked at first, and taken in when somebody says so. One after the other, and
 * whatever page is open meanwhile.
 */
import { useSyncExternalStore } from "react";
import { newKey, told } from "../api/client";
import { upload } from "./upload";
import { type CameIn, LARGEST, size } from "./words";

export type State = "waits" | "looking" | "looked" | "taking" | "taken" | "failed";

export interface Moved {
  id: string;
  file: File;
  state: State;
  /** How much is sent, from 0 to 1. */
  sent: number;
  /** The format, if it was chosen by hand. */
  from?: string;
  came?: CameIn;
  fault?: string;
  /** Whether it failed while it was taken in, and not before. */
  late?: boolean;
}

let all: Moved[] = [];
const listeners = new Set<() => void>();
let stop = new AbortController();
let at = false;

function set(next: Moved[]) {
  all = next;
  for (const tell of listeners) tell();
}

function change(id: string, part: Partial<Moved>) {
  set(all.map((one) => (one.id === id ? { ...one, ...part } : one)));
}

export function add(files: Iterable<File>) {
  const known = new Set(all.map((one) => `${one.file.name} ${one.file.size} ${one.file.lastModified}`));
  const fresh = [...files].filter((file) => !known.has(`${file.name} ${file.size} ${file.lastModified}`));
  set([...all, ...fresh.map(begun)]);
  void work();
}

function begun(file: File): Moved {
  const one: Moved = { id: newKey(), file, state: "waits", sent: 0 };
  if (file.size === 0) return { ...one, state: "failed", fault: "The file is empty." };
  if (file.size <= LARGEST) return one;
  const fault = `It has ${size(file.size)}; at most ${size(LARGEST)} are taken. On the server, weft import FILE takes any size.`;
  return { ...one, state: "failed", fault };
}

/** Looks at all that wait to be looked at. */
async function work() {
  if (at) return;
  at = true;
  for (let next = waiting(); next; next = waiting()) await move(next, true);
  at = false;
}

const waiting = () => all.find((one) => one.state === "waits");

async function move(one: Moved, dryRun: boolean) {
  change(one.id, { state: dryRun ? "looking" : "taking", sent: 0, fault: undefined });
  try {
    const came = await upload({
      file: one.file,
      dryRun,
      from: one.from,
      key: `${one.id}-${dryRun ? "look" : "take"}-${one.from ?? ""}`,
      progress: (sent) => change(one.id, { sent }),
      signal: stop.signal,
    });
    change(one.id, { state: dryRun ? "looked" : "taken", came });
  } catch (fault) {
    if (fault instanceof DOMException) return;
    change(one.id, { state: "failed", fault: told(fault), late: !dryRun });
  }
}

/** Takes in all that were looked at. */
export async function takeIn() {
  for (const one of all.filter((one) => one.state === "looked")) await move(one, false);
}

/** Tries once more, perhaps in another format. */
export function again(id: string, from?: string) {
  const one = all.find((one) => one.id === id);
  if (!one) return;
  if (one.late) void move(one, false);
  else {
    change(id, { state: "waits", from, fault: undefined });
    void work();
  }
}

export const drop = (id: string) => set(all.filter((one) => one.id !== id));

export function clear() {
  stop.abort();
  stop = new AbortController();
  set([]);
}

export function useFiles(): Moved[] {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => all,
  );
}
