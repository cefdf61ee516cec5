/** Nodes whose fate differs between two requests, with both decisions. Neighbours that flip alike are one row until it is opened. */
import { useCallback, useMemo, useState } from "react";
import { count, number } from "../ui/numbers";
import { type Fate, type Flip, flipRuns } from "./fates";
import { NodeName } from "./NodeName";
import { Rows } from "./Rows";
import { DECISIONS, REASONS } from "./words";

const TURNS: Record<Flip["turn"], { sign: string; word: string }> = {
  in: { sign: "↑", word: "comes in" },
  out: { sign: "↓", word: "goes" },
  other: { sign: "≠", word: "differs" },
};

/** Fewer are told one by one. */
const FEW = 3;

interface FlipRow {
  key: string;
  flip: Flip;
  tokens: number | null;
  /** How many it stands for. */
  nodes: number;
  open: boolean;
  inside: boolean;
}

function rowsOf(flips: Flip[], open: ReadonlySet<string>): FlipRow[] {
  return flipRuns(flips).flatMap((run) => {
    const single = (inside: boolean) =>
      run.flips.map((flip) => ({ key: flip.node, flip, tokens: tokensOf(flip), nodes: 1, open: false, inside }));
    if (run.flips.length <= FEW) return single(false);
    const known = run.flips.map(tokensOf);
    const tokens = known.includes(null) ? null : known.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    const opened = open.has(run.key);
    const head = {
      key: `run ${run.key}`,
      flip: run.flips[0]!,
      tokens,
      nodes: run.flips.length,
      open: opened,
      inside: false,
    };
    return opened ? [head, ...single(true)] : [head];
  });
}

const tokensOf = (flip: Flip) => flip.after?.tokens ?? flip.before?.tokens ?? null;

export function Flips({ flips, before, after }: { flips: Flip[]; before: string; after: string }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(flips, open), [flips, open]);
  const keyOf = useCallback((index: number) => rows[index]!.key, [rows]);
  if (rows.length === 0) return null;
  const turn = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <Rows
      label="Messages that differ"
      count={rows.length}
      height={64}
      keyOf={keyOf}
      row={(index) => <FlipLine row={rows[index]!} names={[before, after]} turn={turn} />}
    />
  );
}

function FlipLine({ row, names, turn }: { row: FlipRow; names: [string, string]; turn: (key: string) => void }) {
  const { flip } = row;
  const { sign, word } = TURNS[flip.turn];
  return (
    <div className={`why-row flip ${flip.turn} ${row.inside ? "inside" : ""}`}>
      <span className="verdict">
        <span aria-hidden="true">{sign}</span> {row.nodes > 1 ? PLURAL[flip.turn] : word}
      </span>
      <span className="what">
        {row.nodes > 1 ? (
          <button type="button" className="node-name cut" aria-expanded={row.open} onClick={() => turn(flip.node)}>
            <span aria-hidden="true">{row.open ? "▾" : "▸"}</span> <strong>{count(row.nodes, "message")}</strong>
          </button>
        ) : (
          <NodeName node={flip.node} />
        )}
        {!row.inside && (
          <>
            <span className="small soft">
              {names[0]}: {fate(flip.before)}
            </span>
            <span className="small soft">
              {names[1]}: {fate(flip.after)}
            </span>
          </>
        )}
      </span>
      <span className="figure">{row.tokens === null ? "" : number(row.tokens)}</span>
    </div>
  );
}

const PLURAL: Record<Flip["turn"], string> = { in: "come in", out: "go", other: "differ" };

const fate = (one: Fate | null) =>
  one ? `${DECISIONS[one.decision].word}. ${REASONS[one.reason]}` : "not on the path.";
