/** What happened that is not on the screen otherwise; what failed, with a way to try it again. */
import { useSyncExternalStore } from "react";
import { told } from "../api/client";
import { Button, Icon } from "./controls";

interface Toast {
  id: number;
  text: string;
  fault: boolean;
  act?: { label: string; go: () => void };
}

let toasts: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();
const SHOWN = 6_000;

function set(next: Toast[]) {
  toasts = next;
  for (const tell of listeners) tell();
}

function drop(id: number) {
  set(toasts.filter((toast) => toast.id !== id));
}

function add(toast: Omit<Toast, "id">, stays: boolean) {
  const id = ++last;
  // What was merely told makes room for what is told next; faults stay until they are read.
  set([...toasts.filter((one) => one.fault).slice(-3), { ...toast, id }]);
  if (!stays) setTimeout(() => drop(id), SHOWN);
}

/** Says something; `act` can be, say, an undo. */
export function say(text: string, act?: Toast["act"]) {
  add({ text, fault: false, act }, false);
}

/** Says that something failed. It stays until it is read. */
export function complain(fault: unknown, again?: () => void) {
  add({ text: told(fault), fault: true, act: again && { label: "Try again", go: again } }, true);
}

/** Does something; if it fails, says so and offers to do it again. */
export async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (fault) {
    complain(fault, () => void attempt(act));
    return undefined;
  }
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => toasts,
  );
  return (
    <section className="toasts" aria-label="Notices" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={`toast ${toast.fault ? "fault" : ""}`} role={toast.fault ? "alert" : undefined}>
          <span className="grow">{toast.text}</span>
          {toast.act && (
            <Button
              onClick={() => {
                drop(toast.id);
                toast.act?.go();
              }}
            >
              {toast.act.label}
            </Button>
          )}
          <Icon label="Dismiss" onClick={() => drop(toast.id)}>
            ✕
          </Icon>
        </div>
      ))}
    </section>
  );
}
