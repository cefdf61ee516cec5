/**
 * The list of what was said. Only what is near the screen is drawn; it holds on to its end, and what is loaded above it does
 * not move what is read.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { partsOf } from "../api/types";
import { Spinner } from "../ui/controls";
import { count } from "../ui/numbers";
import { Message } from "./Message";
import { Rule } from "./Rules";
import { useReading } from "./reading";
import type { Row } from "./rows";
import { useTalking } from "./talking";
import { UnsentMessage } from "./UnsentMessage";

export interface ListHandle {
  toNode: (node: string, focus: boolean) => boolean;
  toEnd: () => void;
}

interface Props {
  rows: readonly Row[];
  /** Gone to by its address. */
  lit: string | null;
  earlier: boolean;
  ref: Ref<ListHandle>;
}

/** So near to the end one is still at the end. */
const NEAR = 80;
/** So many rows before the first loaded one, more is loaded. */
const AHEAD = 25;

const GUESSES = { day: 34, new: 34, spent: 34, edge: 34, window: 34, unsent: 72 } as const;

/** A first guess of a row's height, so that the scroll bar does not jump much when it is drawn. */
function guess(row: Row | undefined): number {
  if (row?.kind !== "said") return row ? GUESSES[row.kind] : 60;
  const long = partsOf(row.said.node).reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 60), 0);
  return 50 + 21 * Math.min(40, Math.ceil(long / 95));
}

export function List({ rows, lit, earlier, ref }: Props) {
  const { room, cursor } = useTalking();
  const scroller = useRef<HTMLDivElement>(null);
  const [growing, setGrowing] = useState(false);
  const [stuck, setStuck] = useState(false);
  const [away, setAway] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => guess(rows[at]),
    getItemKey: useCallback((at: number) => rows[at]?.id ?? at, [rows]),
    overscan: 6,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: NEAR,
    paddingStart: 12,
    paddingEnd: 12,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const find = (node: string) => rows.findIndex((row) => row.id === node);

  // Once: at what is new, where all of that is loaded; else at the end.
  const [placed, setPlaced] = useState(false);
  const [start] = useState(() => {
    const fresh = rows.findIndex((row) => row.kind === "new");
    return fresh > (earlier ? 3 : 1) ? fresh : -1;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it opens
  useLayoutEffect(() => {
    if (start >= 0) virtual.scrollToIndex(start, { align: "start" });
    else virtual.scrollToEnd();
    const frame = requestAnimationFrame(() => setPlaced(true));
    return () => cancelAnimationFrame(frame);
  }, []);

  const first = items[0]?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when more rows came and one is still near the top
  useEffect(() => {
    if (!earlier || !placed || first > AHEAD) return;
    if (stuck) return;
    setGrowing(true);
    void room
      .grow()
      .catch(() => setStuck(true))
      .finally(() => setGrowing(false));
  }, [first, earlier, room, rows.length, placed, stuck]);

  const focusNode = useCallback((node: string, tries = 20) => {
    const found = scroller.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(node)}"]`);
    if (found) found.focus({ preventScroll: true });
    else if (tries > 0) requestAnimationFrame(() => focusNode(node, tries - 1));
  }, []);
  useImperativeHandle(ref, () => ({
    toNode: (node, focus) => {
      const at = find(node);
      if (at < 0) return false;
      virtual.scrollToIndex(at, { align: focus ? "auto" : "center" });
      cursor.set({ at: node });
      if (focus) focusNode(node);
      return true;
    },
    toEnd: () => {
      ended.current = true;
      requestAnimationFrame(() => virtual.scrollToEnd());
    },
  }));

  const [atEnd, ended] = useReading({ rows, virtual, scroller, setAway, begins: start < 0 });
  const size = virtual.getTotalSize();
  // Whoever is at the end stays there, whatever becomes of its rows: what was on its way is replaced by what was said.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when rows came, went or grew
  useLayoutEffect(() => {
    if (ended.current) virtual.scrollToEnd();
  }, [rows, size]);
  return (
    <div className="list-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="list" ref={scroller} role="log" aria-live="off" aria-label="What was said" tabIndex={0}>
        <div className="list-inside" style={{ height: size }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={virtual.measureElement}
                className="list-row"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {row.kind === "said" ? (
                  <Message row={row} lit={row.id === lit} />
                ) : row.kind === "unsent" ? (
                  <UnsentMessage unsent={row.unsent} />
                ) : (
                  <Rule row={row} />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {growing && (
        <div className="growing small soft">
          <Spinner label="Loading what was said before" />
        </div>
      )}
      {stuck && (
        <div className="growing">
          <button type="button" className="button" onClick={() => setStuck(false)}>
            What was said before could not be loaded. Try again
          </button>
        </div>
      )}
      {!atEnd && (
        <button type="button" className="button to-end" onClick={() => virtual.scrollToEnd()}>
          ↓ {away > 0 ? `${away} new` : "To the end"}
          {away > 0 && <span className="unseen">{count(away, "message")}</span>}
        </button>
      )}
    </div>
  );
}
