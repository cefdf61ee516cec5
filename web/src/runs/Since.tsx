/** How long ago something was, ticking. One clock for all of them. */
import { useSyncExternalStore } from "react";
import { atFull, span } from "../ui/numbers";

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(tell: () => void) {
  listeners.add(tell);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now();
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(tell);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

export function Since({ at }: { at: string }) {
  const moment = useNow();
  return (
    <time className="since" dateTime={at} title={atFull(at)}>
      {span(moment - Date.parse(at))}
    </time>
  );
}
