/** A finger that moves sideways over a message turns to its other versions. */
import { useRef } from "react";

const FAR = 60;

export function useSwipe(turn: (step: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: (event: React.TouchEvent) => {
      const touch = event.touches.length === 1 ? event.touches[0] : undefined;
      from.current = touch ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: (event: React.TouchEvent) => {
      const [start, end] = [from.current, event.changedTouches[0]];
      from.current = null;
      if (!start || !end) return;
      const [across, down] = [end.clientX - start.x, end.clientY - start.y];
      // What scrolls sideways under the finger keeps its own meaning.
      const scrolls = (event.target as Element).closest("pre, .scrolls, textarea");
      if (!scrolls && Math.abs(across) > FAR && Math.abs(across) > 2 * Math.abs(down)) turn(across < 0 ? 1 : -1);
    },
  };
}
