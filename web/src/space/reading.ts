/**
 * What was read: the place moves on only when a message was on the screen for a moment while the page had the focus.
 * Also keeps the "New" rule from standing before what somebody watched arrive.
 */
import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";
import { counts, firstNew, type Row } from "./rows";
import { useTalking } from "./talking";

interface Reading {
  rows: readonly Row[];
  virtual: Virtualizer<HTMLDivElement, Element>;
  scroller: RefObject<HTMLDivElement | null>;
  setAway: (count: number) => void;
  /** Whether it opens at its end. */
  begins: boolean;
}

/** So long it must have been seen. */
const LOOKED = 400;

const present = () => document.visibilityState === "visible" && document.hasFocus();

/** The last message of which enough is on the screen. */
function lastSeen(rows: readonly Row[], virtual: Reading["virtual"], bottom: number) {
  for (const item of [...virtual.getVirtualItems()].reverse()) {
    const row = rows[item.index];
    if (row?.kind === "said" && Math.min(item.end, item.start + 60) <= bottom) return row.said;
  }
  return null;
}

/** Whether the list holds on to its end, as drawn and as it is this very moment. */
export function useReading({ rows, virtual, scroller, setAway, begins }: Reading): [boolean, RefObject<boolean>] {
  const { room, me } = useTalking();
  const [atEnd, setAtEnd] = useState(begins);
  const latest = useRef(rows);
  latest.current = rows;
  const ended = useRef(begins);
  const leftAt = useRef<number | null>(begins ? null : (room.state.nodes.at(-1)?.seq ?? 0));
  const again = useRef(() => {});

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let top = element.scrollTop;
    const look = () => {
      if (!present() || room.fixed !== null) return;
      const said = lastSeen(latest.current, virtual, element.scrollTop + element.clientHeight);
      if (said) void room.readUpTo(said.seq, said.node.id);
    };
    const moved = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < 80;
      const held = ended.current;
      // Only a move upwards lets go of the end: rows that grow push it away, too.
      if (near) ended.current = true;
      else if (element.scrollTop < top - 2) ended.current = false;
      top = element.scrollTop;
      if (held && !ended.current) leftAt.current = room.state.nodes.at(-1)?.seq ?? 0;
      setAtEnd(ended.current);
      if (ended.current) setAway(0);
      clearTimeout(timer);
      timer = setTimeout(look, LOOKED);
    };
    moved();
    again.current = moved;
    element.addEventListener("scroll", moved, { passive: true });
    window.addEventListener("focus", moved);
    document.addEventListener("visibilitychange", moved);
    const unsubscribe = room.subscribe(moved);
    return () => {
      clearTimeout(timer);
      unsubscribe();
      element.removeEventListener("scroll", moved);
      window.removeEventListener("focus", moved);
      document.removeEventListener("visibilitychange", moved);
    };
  }, [room, virtual, scroller, setAway]);

  // What arrives while somebody watches the end is not "new"; what arrives while one reads above is counted.
  const length = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change when something was said
  useEffect(() => {
    const { nodes, newAfter } = room.state;
    // Other rows, another end; it is known once they are drawn.
    const frame = requestAnimationFrame(() => again.current());
    const over = () => cancelAnimationFrame(frame);
    const before = length.current;
    const last = nodes.at(-1)?.seq ?? 0;
    length.current = last;
    if (before === null || last <= before) return over;
    if (ended.current && present()) {
      const standing = firstNew(nodes, newAfter, me);
      if (standing < nodes.length && nodes[standing]!.seq > before) room.settle();
    } else if (leftAt.current !== null) {
      const from = leftAt.current;
      setAway(nodes.filter((one) => one.seq > from && counts(one.node, me)).length);
    }
    return over;
  }, [rows, room, me, setAway]);
  return [atEnd, ended];
}
