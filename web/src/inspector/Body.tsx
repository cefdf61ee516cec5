/** A body, row by row, with numbers, hits and a marked stretch. */
import { type ReactNode, type Ref, useMemo } from "react";
import type { Place } from "./locate";
import type { Laid, Match, Row } from "./pretty";
import { byPlace, Rows, type RowsHandle } from "./Rows";

interface BodyProps {
  laid: Laid;
  hits: Match[];
  /** Which of the hits is gone to. */
  hit: number;
  place: Place | null;
  /** Somebody points at a row. */
  choose?: (row: number) => void;
  ref?: Ref<RowsHandle>;
}

export function Body({ laid, hits, hit, place, choose, ref }: BodyProps) {
  const byRow = useMemo(() => {
    const all = new Map<number, (Match & { chosen: boolean })[]>();
    for (const [at, match] of hits.entries()) {
      const row = all.get(match.row) ?? [];
      row.push({ ...match, chosen: at === hit });
      all.set(match.row, row);
    }
    return all;
  }, [hits, hit]);
  const wide = String(laid.lines).length;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing is a short cut; the list of nodes does the same by keyboard
    <div
      className="wire"
      style={{ "--digits": `${wide}ch` } as React.CSSProperties}
      onClick={(event) => {
        const row = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset.row;
        if (row !== undefined && getSelection()?.isCollapsed !== false) choose?.(Number(row));
      }}
      onKeyDown={() => {}}
    >
      <Rows
        ref={ref}
        label="Lines of the request"
        count={laid.rows.length}
        height={19}
        keyOf={byPlace}
        row={(index) => {
          const row = laid.rows[index]!;
          const marked = place !== null && index >= place.from && index <= place.to;
          return (
            <div className={`wire-row ${marked ? "marked" : ""}`} data-row={index}>
              <span className="line-number" aria-hidden="true">
                {row.column === 0 ? row.line + 1 : ""}
              </span>
              <code>{told(row, byRow.get(index))}</code>
            </div>
          );
        }}
      />
    </div>
  );
}

/** The row's text with its hits. */
function told(row: Row, hits: (Match & { chosen: boolean })[] | undefined): ReactNode {
  if (!hits) return row.text || " ";
  const all: ReactNode[] = [];
  let at = 0;
  for (const { from, to, chosen } of hits) {
    all.push(row.text.slice(at, from));
    all.push(
      <mark key={from} className={chosen ? "chosen" : undefined}>
        {row.text.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  return [...all, row.text.slice(at)];
}
