/** Two bodies line by line; equal stretches are folded until they are opened. */
import { useMemo, useState } from "react";
import { Button } from "../ui/controls";
import { count, number } from "../ui/numbers";
import { type DiffLine, diff, folded } from "./diff";
import { laidOut, lay } from "./pretty";
import { byPlace, Rows } from "./Rows";

type Shown = { line: DiffLine } | { fold: number; hidden: number };

const SIGNS: Record<DiffLine["kind"], string> = { same: " ", old: "−", new: "+" };
/** Longer lines are cut to what fits on a screen. */
const LONGEST = 2_000;

/** Texts with their line breaks as lines of their own: so a word that changed in a prompt is one line, not the prompt. */
function linesOf(body: string): string[] {
  const laid = lay(body);
  return laid.json ? laid.rows.map((row) => row.text) : laidOut(laid).split("\n");
}

export function DiffView({ before, after, names }: { before: string; after: string; names: [string, string] }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(() => diff(linesOf(before), linesOf(after)), [before, after]);
  const blocks = useMemo(() => folded(lines), [lines]);
  const shown = useMemo(
    () =>
      blocks.flatMap((block, fold): Shown[] =>
        block.hidden > 0 && !open.has(fold) ? [{ fold, hidden: block.hidden }] : block.lines.map((line) => ({ line })),
      ),
    [blocks, open],
  );
  const gone = lines.filter((line) => line.kind === "old").length;
  const come = lines.filter((line) => line.kind === "new").length;
  if (gone + come === 0) return <p className="soft">No line differs.</p>;
  return (
    <div className="stack">
      <p className="small soft">
        <span className="figure">−{number(gone)}</span> only in {names[0]} ·{" "}
        <span className="figure">+{number(come)}</span> only in {names[1]}
      </p>
      <div className="wire diff" style={{ "--digits": `${String(lines.length).length}ch` } as React.CSSProperties}>
        <Rows
          label="Lines that differ"
          count={shown.length}
          height={19}
          keyOf={byPlace}
          row={(index) => {
            const one = shown[index]!;
            if ("fold" in one) {
              return (
                <Button className="fold" onClick={() => setOpen(new Set([...open, one.fold]))}>
                  {count(one.hidden, "equal line")}
                </Button>
              );
            }
            return <Line line={one.line} />;
          }}
        />
      </div>
    </div>
  );
}

function Line({ line }: { line: DiffLine }) {
  return (
    <div className={`wire-row ${line.kind}`}>
      <span className="line-number" aria-hidden="true">
        {line.now ?? line.old}
      </span>
      <span className="sign">
        <span aria-hidden="true">{SIGNS[line.kind]}</span>
        {line.kind !== "same" && <span className="unseen">{line.kind === "old" ? "removed" : "added"}</span>}
      </span>
      <code>{line.text.slice(0, LONGEST) || " "}</code>
    </div>
  );
}
