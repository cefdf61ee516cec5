/** What hands do with the map: drag, wheel, two fingers, keys. Each becomes another view; a click is told apart from a drag. */
import { moved, type View, zoomed } from "./view";

interface Hands {
  canvas: HTMLCanvasElement;
  change: (change: (view: View) => View) => void;
  point: (x: number, y: number) => void;
  leave: () => void;
  click: (x: number, y: number) => void;
}

/** A hand is never quite still. */
const STILL = 4;

export function attach({ canvas, change, point, leave, click }: Hands): () => void {
  const held = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const at = (event: PointerEvent | WheelEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (held.size === 0) travelled = 0;
    held.set(event.pointerId, at(event));
  };
  const move = (event: PointerEvent) => {
    const now = at(event);
    const before = held.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") point(now.x, now.y);
      return;
    }
    held.set(event.pointerId, now);
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const [was, is] = [before, now].map((one) => Math.hypot(one.x - other.x, one.y - other.y)) as [number, number];
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      change((view) =>
        zoomed(moved(view, (now.x - before.x) / 2, (now.y - before.y) / 2), is / Math.max(1, was), middle.x, middle.y),
      );
    } else if (travelled > STILL) change((view) => moved(view, now.x - before.x, now.y - before.y));
  };
  const up = (event: PointerEvent) => {
    const was = held.get(event.pointerId);
    held.delete(event.pointerId);
    if (was && event.type === "pointerup" && travelled <= STILL && held.size === 0) click(was.x, was.y);
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const { x, y } = at(event);
    // A pinch on a touchpad comes as a wheel with Ctrl held.
    if (event.ctrlKey || event.metaKey) change((view) => zoomed(view, Math.exp((-event.deltaY * lines) / 300), x, y));
    else if (event.shiftKey) change((view) => moved(view, -event.deltaY * lines, 0));
    else change((view) => moved(view, -event.deltaX * lines, -event.deltaY * lines));
  };
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("wheel", wheel, { passive: false });
  return () => {
    canvas.removeEventListener("pointerdown", down);
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerup", up);
    canvas.removeEventListener("pointercancel", up);
    canvas.removeEventListener("pointerleave", leave);
    canvas.removeEventListener("wheel", wheel);
  };
}
