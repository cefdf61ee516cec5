/** The messages of a request by who said them, by turn, or one by one: which of them are large. */
import { useMemo, useState } from "react";
import type { Report } from "../api/types";
import { Button } from "../ui/controls";
import { count, number } from "../ui/numbers";
import { useAround } from "./around";
import { NodeName } from "./NodeName";
import { SortedTable } from "./SortedTable";
import { type By, type Group, groups, portion } from "./window";

const WAYS: { by: By; name: string }[] = [
  { by: "author", name: "author" },
  { by: "turn", name: "turn" },
  { by: "message", name: "message" },
];
/** The largest; the Why tab has all. */
const MOST = 200;

export function Messages({ report }: { report: Report }) {
  const [by, setBy] = useState<By>("author");
  const { said, name } = useAround();
  const all = useMemo(() => groups(report.items, by, said), [report, by, said]);
  if (all.length === 0) return null;
  const largest = all.length > MOST ? all.toSorted((a, b) => b.tokens - a.tokens).slice(0, MOST) : all;
  const shown = (group: Group) => {
    if (by === "message" && group.node) return <NodeName node={group.node} nodes={group.nodes} />;
    return <span dir="auto">{by === "author" ? name(group.name) : group.name}</span>;
  };
  return (
    <section className="stack" aria-label="Messages">
      <div className="row wraps">
        <h3>Messages by</h3>
        {WAYS.map((way) => (
          <Button key={way.by} aria-pressed={by === way.by} onClick={() => setBy(way.by)}>
            {way.name}
          </Button>
        ))}
      </div>
      <SortedTable
        key={by}
        label={`Messages by ${by}`}
        rows={largest}
        first={by === "author" ? "Author" : by === "turn" ? "Turn" : "Message"}
        name={shown}
        by={by === "turn" ? undefined : "Tokens"}
        columns={[
          { name: "Messages", of: (group) => group.nodes, shown: (group) => number(group.nodes) },
          { name: "Tokens", of: (group) => group.tokens, shown: (group) => number(group.tokens) },
          {
            name: "Share",
            of: (group) => group.tokens,
            shown: (group) => portion(group.tokens, report.budget.history),
          },
        ]}
      />
      {all.length > MOST && (
        <p className="small soft">
          The {MOST} largest of {count(all.length, by)}. The Why tab has all of them.
        </p>
      )}
    </section>
  );
}
