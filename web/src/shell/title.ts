/** What the browser's tab says: how much is unread, and where one is. */
import { useEffect, useSyncExternalStore } from "react";
import type { SpaceCard } from "../api/types";

let here = "";
let waits = false;
const listeners = new Set<() => void>();

/** Names the place that is shown, while it is shown. */
export function usePlace(name: string) {
  useEffect(() => {
    here = name;
    for (const tell of listeners) tell();
  }, [name]);
}

/** Whether somebody is waited for: a dot in the title, and one on the icon. */
export function markTab(on: boolean) {
  waits = on;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon) icon.href = on ? "/icon-waiting.svg" : "/icon.svg";
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void) {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

export const useWaits = () => useSyncExternalStore(subscribe, () => waits);

export function useTitle(spaces: SpaceCard[]) {
  const place = useSyncExternalStore(subscribe, () => here);
  const waited = useWaits();
  const unread = spaces.reduce((sum, space) => sum + space.unread, 0);
  useEffect(() => {
    document.title = `${waited ? "• " : ""}${unread > 0 ? `(${unread}) ` : ""}${place ? `${place} · ` : ""}Weft`;
  }, [unread, place, waited]);
}
