/** A body to read: laid out or raw, its size and hash, a search in it, and ways to take it along. */
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { Button, Icon } from "../ui/controls";
import { copy, download } from "../ui/hand";
import { count, number } from "../ui/numbers";
import { Body } from "./Body";
import { curl, hasApi } from "./curl";
import type { Place } from "./locate";
import { charOf, type Laid, lay, matches, rowAt } from "./pretty";
import type { RowsHandle } from "./Rows";
import type { Dialect } from "./words";

const utf8 = new TextEncoder();

interface ReaderProps {
  body: string;
  name: string;
  /** Of requests: for curl. */
  dialect?: Dialect | null;
  model?: string | null;
  hash?: string | null;
  /** Where to look, of the laid-out body. */
  find?: (laid: Laid) => Place | null;
  /** Changes when `find` is to be gone to again. */
  mark?: string | null;
  /** A byte to go to. */
  byte?: number | null;
  choose?: (laid: Laid, row: number) => void;
}

export function Reader({ body, name, dialect, model, hash, find, mark, byte, choose }: ReaderProps) {
  const [raw, setRaw] = useState(false);
  const [wanted, setWanted] = useState("");
  // The hit that was gone to; -1 before the first.
  const [hit, setHit] = useState(-1);
  const list = useRef<RowsHandle>(null);
  const laid = useMemo(() => lay(body, raw), [body, raw]);
  const late = useDeferredValue(wanted);
  const hits = useMemo(() => matches(laid.rows, late), [laid, late]);
  const size = useMemo(() => utf8.encode(body).length, [body]);
  const place = useMemo(() => {
    if (byte !== null && byte !== undefined) {
      const row = rowAt(laid.rows, charOf(body, byte));
      return { from: row, to: row };
    }
    return find?.(laid) ?? null;
  }, [laid, body, byte, find]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is gone to when another is marked, not when it is redrawn
  useEffect(() => {
    if (place && (mark || byte !== undefined)) list.current?.reveal(place.from);
  }, [mark, byte, place?.from]);
  const go = (to: number) => {
    if (hits.length === 0) return;
    const next = (to + hits.length) % hits.length;
    setHit(next);
    list.current?.reveal(hits[next]!.row);
  };
  const line = dialect && model ? curl(dialect, model, body) : null;
  return (
    <div className="stack reader">
      <div className="row wraps">
        <Button
          aria-pressed={raw}
          onClick={() => setRaw(!raw)}
          title="As it goes over the wire, without line breaks of ours"
        >
          Raw
        </Button>
        <Button onClick={() => void copy(body, `The ${name} is copied.`)}>Copy</Button>
        {dialect && (
          <Button
            disabled={!line}
            title={
              hasApi(dialect)
                ? "With the key of your shell in place of ours"
                : "No API takes this format: choose another"
            }
            onClick={() => line && void copy(line, "The curl line is copied.")}
          >
            Copy as curl
          </Button>
        )}
        <Button onClick={() => download(body, `${name}.${laid.json ? "json" : "txt"}`, "text/plain")}>Download</Button>
      </div>
      <p className="small soft figure hash">
        {number(size)} bytes · {number(laid.lines)} lines
        {hash && (
          <>
            {" · "}
            <code title="SHA-256 of the bytes">{hash}</code>
          </>
        )}
        {dialect && !hasApi(dialect) && " · No API takes this format: choose another for curl."}
      </p>
      <div className="row reader-bar">
        <input
          className="input search"
          type="search"
          aria-label={`Search in the ${name}`}
          placeholder="Search in it"
          value={wanted}
          onChange={(event) => {
            setWanted(event.target.value);
            setHit(-1);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") go(event.shiftKey ? Math.max(hit, 0) - 1 : hit + 1);
          }}
        />
        {wanted && (
          <span className="small figure" role="status">
            {hits.length === 0
              ? "none"
              : hit < 0
                ? count(hits.length, "hit")
                : `${number(hit + 1)} of ${number(hits.length)}`}
          </span>
        )}
        {hits.length > 0 && (
          <>
            <Icon label="Previous hit (Shift Enter)" onClick={() => go(Math.max(hit, 0) - 1)}>
              ↑
            </Icon>
            <Icon label="Next hit (Enter)" onClick={() => go(hit + 1)}>
              ↓
            </Icon>
          </>
        )}
      </div>
      <Body
        ref={list}
        laid={laid}
        hits={hits}
        hit={hit}
        place={place}
        choose={choose && ((row) => choose(laid, row))}
      />
    </div>
  );
}
