/** What eats the window: a grid to see it, a table to read it. */
import { useMemo, useState } from "react";
import type { Report } from "../api/types";
import { keep, kept } from "../shell/kept";
import { Button } from "../ui/controls";
import { copy } from "../ui/hand";
import { number } from "../ui/numbers";
import { useAround } from "./around";
import { Messages } from "./Messages";
import { SortedTable } from "./SortedTable";
import type { Seen } from "./seen";
import { asText, cells, occupied, parts, portion } from "./window";
import { KINDS, STRATEGIES } from "./words";

const CELLS = 200;

export function WindowTab({ seen, report }: { seen: Seen; report: Report }) {
  const [whole, setWhole] = useState(kept("inspect.grid") !== "used");
  const { space } = useAround();
  const all = useMemo(() => parts(report), [report]);
  const shown = whole ? all : all.filter((part) => part.kind !== "free" && part.kind !== "reserve");
  const grid = useMemo(() => cells(shown, CELLS), [shown]);
  const window = report.budget.contextLength || occupied(report.budget);
  const choose = (next: boolean) => {
    setWhole(next);
    keep("inspect.grid", next ? null : "used");
  };
  return (
    <div className="stack">
      <div className="row wraps">
        <Button aria-pressed={whole} onClick={() => choose(true)}>
          Whole
        </Button>
        <Button aria-pressed={!whole} onClick={() => choose(false)}>
          What is taken
        </Button>
        <span className="grow" />
        <Button onClick={() => void copy(asText(report, seen.model ?? ""), "The window is copied.")}>
          Copy as text
        </Button>
      </div>
      <div className="window-grid" aria-hidden="true">
        {grid.map((kind, at) => (
          <span key={at} className={`cell of-${kind}`} />
        ))}
      </div>
      <SortedTable
        label="What takes the window"
        rows={all.map((part) => ({ ...part, key: part.kind }))}
        first="Part"
        name={(part) => (
          <>
            <span className={`cell swatch of-${part.kind}`} aria-hidden="true" /> {part.name}
          </>
        )}
        columns={[
          { name: "Tokens", of: (part) => part.tokens, shown: (part) => number(part.tokens) },
          { name: "Share", of: (part) => part.tokens, shown: (part) => portion(part.tokens, window) },
        ]}
      />
      <p className="small soft">
        Tokens are {KINDS[report.counter.kind]} ({report.counter.name}). {STRATEGIES[report.strategy].name}:{" "}
        {STRATEGIES[report.strategy].says}
      </p>
      {space && <Messages report={report} />}
    </div>
  );
}
