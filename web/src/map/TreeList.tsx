/** The map as a list: the same tree for keys and screen readers. Only what is seen is there. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { count as counted } from "../ui/numbers";
import type { Folding } from "./cells";
import { type Row, rows } from "./rows";
import { onOneLine, type Tree, type Twig } from "./tree";

interface Props {
  tree: Tree;
  version: number;
  pruned: Folding["pruned"];
  head: string | null;
  path: ReadonlySet<string>;
  found: ReadonlySet<string> | null;
  chosen: string | null;
  choose: (id: string) => void;
  go: (id: string) => void;
  /** What a node is besides its words. */
  signs: (twig: Twig) => string;
  name: (author: string) => string;
  glyph: (author: string) => React.ReactNode;
}

/** Small trees are open at first; of large ones the way to the head. */
const SMALL = 300;
const HEIGHT = 32;

export function TreeList(props: Props) {
  const { tree, version, pruned, head, path, found, chosen, choose, go } = props;
  const [flipped, setFlipped] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", at: 0 });
  const id = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  const all = useMemo(() => {
    const usual = (twig: Twig, what: "branch" | "fold") =>
      what === "branch" && (tree.size <= SMALL || path.has(twig.glance.id));
    const isOpen = (twig: Twig, what: "branch" | "fold") => usual(twig, what) !== flipped.has(twig.glance.id + what);
    return rows(tree.roots, { pruned, head, isOpen });
  }, [tree, version, pruned, head, path, flipped]);
  const at = Math.max(
    0,
    all.findIndex((row) => row.twig.glance.id === chosen),
  );
  const virtual = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is scrolled to, not what else changes
  useEffect(() => virtual.scrollToIndex(at), [chosen]);
  const flip = (row: Row) => {
    const key = row.twig.glance.id + (row.count > 1 ? "fold" : "branch");
    setFlipped((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]));
  };
  const to = (number: number) => {
    const row = all[Math.max(0, Math.min(all.length - 1, number))];
    if (row) choose(row.twig.glance.id);
  };
  const seek = (letter: string) => {
    const now = performance.now();
    const text = (now - typed.current.at < 700 ? typed.current.text : "") + letter.toLowerCase();
    typed.current = { text, at: now };
    const from = text.length > 1 ? at : at + 1;
    const order = [...all.slice(from), ...all.slice(0, from)];
    const hit = order.find((row) => onOneLine(row.twig.glance.text).toLowerCase().startsWith(text));
    if (hit) choose(hit.twig.glance.id);
  };
  const press = (event: React.KeyboardEvent) => {
    const row = all[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / HEIGHT) - 1);
    const goal = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    if (event.key in goal) to(goal[event.key as keyof typeof goal]);
    else if (event.key === "ArrowRight") row.open === false ? flip(row) : row.open && to(at + 1);
    else if (event.key === "ArrowLeft") row.open ? flip(row) : row.above >= 0 && to(row.above);
    else if (event.key === "Enter") row.count > 1 ? flip(row) : go(row.twig.glance.id);
    else if (event.key === " ") row.open !== null && flip(row);
    // In a tree letters look for a beginning; what they do elsewhere has its buttons beside it.
    else if (/^[\p{L}\p{N}]$/u.test(event.key)) seek(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={scroller}
      className="map-list"
      role="tree"
      tabIndex={0}
      aria-label="The whole tree"
      aria-activedescendant={all[at] ? `${id}-${at}` : undefined}
      onKeyDown={press}
      onFocus={() => !chosen && to(at)}
    >
      <div style={{ height: virtual.getTotalSize() }} role="presentation">
        {virtual.getVirtualItems().map((item) => {
          const row = all[item.index]!;
          return (
            <Line
              key={row.twig.glance.id + (row.count > 1 ? "fold" : "")}
              id={`${id}-${item.index}`}
              top={item.start}
              row={row}
              chosen={row.twig.glance.id === chosen}
              dim={found !== null && !found.has(row.twig.glance.id)}
              onPath={path.has(row.twig.glance.id)}
              flip={() => flip(row)}
              choose={() => choose(row.twig.glance.id)}
              signs={props.signs}
              name={props.name}
              glyph={props.glyph}
            />
          );
        })}
      </div>
    </div>
  );
}

interface LineProps extends Pick<Props, "signs" | "name" | "glyph"> {
  id: string;
  top: number;
  row: Row;
  chosen: boolean;
  dim: boolean;
  onPath: boolean;
  flip: () => void;
  choose: () => void;
}

/** Deeper than this the eye has lost the line anyway. */
const DEEPEST = 14;

function Line({ id, top, row, chosen, dim, onPath, flip, choose, signs, name, glyph }: LineProps) {
  const { twig, count, level, open } = row;
  const words = count > 1 ? counted(count, "message") : onOneLine(twig.glance.text) || "(no text)";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={row.place}
      aria-setsize={row.of}
      aria-expanded={open ?? undefined}
      aria-selected={chosen}
      className={`map-line ${dim ? "dim" : ""} ${onPath ? "on-path" : ""}`}
      style={{ top, paddingInlineStart: 6 + Math.min(level - 1, DEEPEST) * 16 }}
      onClick={choose}
      onDoubleClick={() => open !== null && flip()}
    >
      <button
        type="button"
        className="map-turn"
        tabIndex={-1}
        aria-hidden="true"
        disabled={open === null}
        onClick={(event) => {
          event.stopPropagation();
          flip();
        }}
      >
        {open === null ? "" : open ? "▾" : "▸"}
      </button>
      {count > 1 ? <span aria-hidden="true">⋯</span> : glyph(twig.glance.author)}
      <span className={`cut ${count > 1 ? "soft" : ""}`}>{words}</span>
      <span className="unseen">{count > 1 ? "folded" : `by ${name(twig.glance.author)}`}</span>
      <span className="soft small map-signs">{count > 1 ? "" : signs(twig)}</span>
    </div>
  );
}
