/** Which message is at hand: chosen by j and k, being edited, being replied to. Apart from the space, so that moving draws two messages. */
import { useSyncExternalStore } from "react";

export interface AtHand {
  /** The message that has the focus, or had it last. */
  at: string | null;
  editing: string | null;
  replyTo: string | null;
  /** Several replies are about to be asked for here. */
  asking: string | null;
}

export class Cursor {
  private current: AtHand = { at: null, editing: null, replyTo: null, asking: null };
  private readonly listeners = new Set<() => void>();

  get state() {
    return this.current;
  }

  set(change: Partial<AtHand>) {
    this.current = { ...this.current, ...change };
    for (const tell of this.listeners) tell();
  }

  subscribe = (tell: () => void) => {
    this.listeners.add(tell);
    return () => this.listeners.delete(tell);
  };
}

export function useCursor<T>(cursor: Cursor, pick: (state: AtHand) => T): T {
  return useSyncExternalStore(cursor.subscribe, () => pick(cursor.state));
}
