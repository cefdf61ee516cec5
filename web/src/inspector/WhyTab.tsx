/** What became of each node, and why. */
import { memo, useCallback, useMemo, useState } from "react";
import type { Report } from "../api/types";
import { useLook } from "../space/context";
import { Button, Icon } from "../ui/controls";
import { count, number } from "../ui/numbers";
import { useAround } from "./around";
import { tally } from "./fates";
import { Glyph } from "./Glyph";
import { Mended } from "./Mended";
import { useMarked } from "./marked";
import { NodeName } from "./NodeName";
import { Rows } from "./Rows";
import { type Filter, runKey, type WhyRow, whyRows } from "./why";
import { DECISIONS, REASONS } from "./words";

const FILTERS: { id: Filter; name: string }[] = [
  { id: "all", name: "All" },
  { id: "in", name: "In" },
  { id: "out", name: "Out" },
  { id: "changed", name: "Changed" },
];

export function WhyTab({ report }: { report: Report }) {
  const { parent } = useAround();
  const [filter, setFilter] = useState<Filter>("all");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => whyRows(report.items, filter, open, parent), [report, filter, open, parent]);
  const { sent, left } = useMemo(() => tally(report.items), [report]);
  const keyOf = useCallback((index: number) => rows[index]!.key, [rows]);
  const turn = useCallback(
    (key: string) =>
      setOpen((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [],
  );
  return (
    <div className="stack">
      <Mended report={report} />
      <div className="row wraps">
        {FILTERS.map(({ id, name }) => (
          <Button key={id} aria-pressed={filter === id} onClick={() => setFilter(id)}>
            {name}
          </Button>
        ))}
        <span className="grow" />
        <span className="small soft figure" role="status">
          {number(sent)} in · {number(left)} out
        </span>
      </div>
      {rows.length === 0 ? (
        <p className="soft">{report.items.length === 0 ? "No message is told of." : "None of that kind."}</p>
      ) : (
        <Rows
          label="What became of each message"
          count={rows.length}
          height={46}
          keyOf={keyOf}
          row={(index) => <WhyLine row={rows[index]!} turn={turn} />}
        />
      )}
    </div>
  );
}

const WhyLine = memo(function WhyLine({ row, turn }: { row: WhyRow; turn: (key: string) => void }) {
  const [, look] = useLook();
  const { goTo } = useAround();
  const [, mark] = useMarked();
  const { sign, word, says } = DECISIONS[row.item.decision];
  const node = row.item.node ?? row.item.from ?? "";
  const isRun = row.run !== "none";
  const showInWire = () => {
    mark(node);
    look({ inspect: "wire" });
  };
  return (
    <div className={`why-row ${row.item.decision} ${row.inside ? "inside" : ""}`}>
      <span className="verdict" title={says}>
        <span aria-hidden="true">{sign}</span> {word}
      </span>
      <span className="what">
        {isRun ? (
          <button
            type="button"
            className="node-name cut"
            aria-expanded={row.run === "open"}
            onClick={() => turn(runKey(row))}
          >
            <span aria-hidden="true">{row.run === "open" ? "▾" : "▸"}</span>{" "}
            <strong>{count(row.nodes, "message")}</strong>
          </button>
        ) : (
          <NodeName node={node} />
        )}
        {!row.inside && <span className="small soft">{REASONS[row.item.reason]}</span>}
      </span>
      <span className="figure">{row.tokens === null ? "" : number(row.tokens)}</span>
      {goTo && !isRun && row.item.decision !== "dropped" ? (
        <Icon label="Show it in the wire" onClick={showInWire}>
          <Glyph name="wire" />
        </Icon>
      ) : (
        <span className="icon-gap" />
      )}
    </div>
  );
});
