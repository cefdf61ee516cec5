/** What was written and not yet sent, by space: it survives going elsewhere and closing the page. */
import { useSyncExternalStore } from "react";
import { keep, kept, own } from "../shell/kept";

const drafts = new Map<string, string>();
const listeners = new Set<() => void>();
const name = (space: string) => own(`draft.${space}`);

export function draftOf(space: string): string {
  const found = drafts.get(space);
  if (found !== undefined) return found;
  drafts.set(space, kept(name(space)) ?? "");
  return drafts.get(space)!;
}

export function writeDraft(space: string, text: string) {
  drafts.set(space, text);
  keep(name(space), text === "" ? null : text);
  for (const tell of listeners) tell();
}

export function useTyped(space: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => draftOf(space),
  );
  return [text, (text) => writeDraft(space, text)];
}
