/** Two requests side by side: their budgets, the nodes whose fate differs, and their bodies line by line. */
import { useMemo } from "react";
import type { Schemas } from "../api/client";
import { Empty, Spinner } from "../ui/controls";
import { count, number } from "../ui/numbers";
import { useAround } from "./around";
import { DiffView } from "./DiffView";
import { Fault } from "./Faults";
import { Flips } from "./Flips";
import { fates, flips } from "./fates";
import type { Seen } from "./seen";
import { occupied } from "./window";
import { DIALECTS, KIND, STRATEGIES } from "./words";

export interface Side {
  name: string;
  data: Seen | undefined;
  error: unknown;
  again: () => void;
}

export function Compare({ one, other }: { one: Side; other: Side }) {
  const failed = [one, other].find((side) => side.error && !side.data);
  if (failed) {
    return (
      <section className="stack">
        <h3>{failed.name}</h3>
        <Fault fault={failed.error} again={failed.again} />
      </section>
    );
  }
  if (!one.data || !other.data) return <Spinner label="Comparing" />;
  return <Compared one={{ ...one, data: one.data }} other={{ ...other, data: other.data }} />;
}

type Ready = Side & { data: Seen };

function Compared({ one, other }: { one: Ready; other: Ready }) {
  const { parent } = useAround();
  const turned = useMemo(
    () => flips(fates(one.data.report?.items ?? [], parent), fates(other.data.report?.items ?? [], parent), true),
    [one.data.report, other.data.report, parent],
  );
  const hash = one.data.report?.hash;
  const same = hash !== undefined && hash === other.data.report?.hash;
  return (
    <div className="stack">
      {same && <p className="note">The two are the same, byte for byte.</p>}
      <Budgets one={one} other={other} />
      <section className="stack">
        <h3>
          {turned.length === 0
            ? "Every message has the same fate"
            : `${count(turned.length, "message")} with another fate`}
        </h3>
        <Flips flips={turned} before={one.name} after={other.name} />
      </section>
      <section className="stack">
        <h3>Line by line</h3>
        {one.data.dialect !== other.data.dialect && (
          <p className="small soft">They are in different wire formats, so most lines differ.</p>
        )}
        {one.data.body === null || other.data.body === null ? (
          <Empty title="The bytes of one are not kept" />
        ) : (
          <DiffView before={one.data.body} after={other.data.body} names={[one.name, other.name]} />
        )}
      </section>
    </div>
  );
}

const LINES: { name: string; of: (budget: Schemas["Budget"]) => number }[] = [
  { name: "Window", of: (budget) => budget.contextLength },
  { name: "Taken", of: occupied },
  { name: "System text", of: (budget) => budget.system },
  { name: "Tools", of: (budget) => budget.tools },
  { name: "Messages", of: (budget) => budget.history },
  { name: "New input", of: (budget) => budget.input },
  { name: "Marker of the cut", of: (budget) => budget.markers },
  { name: "Kept free for the reply", of: (budget) => budget.reserve },
];

const FACTS: { name: string; of: (seen: Seen) => string | null | undefined }[] = [
  { name: "Model", of: (seen) => seen.model },
  { name: "Wire format", of: (seen) => seen.dialect && DIALECTS[seen.dialect] },
  { name: "Strategy", of: (seen) => seen.report && STRATEGIES[seen.report.strategy].name },
  {
    name: "Tokens are",
    of: (seen) => seen.report && `${KIND[seen.report.counter.kind]} (${seen.report.counter.name})`,
  },
];

function Budgets({ one, other }: { one: Ready; other: Ready }) {
  const reports = [one.data.report, other.data.report] as const;
  const [first, second] = reports;
  const different = FACTS.filter(({ of }) => of(one.data) !== of(other.data));
  const shared = FACTS.filter((fact) => !different.includes(fact)).map(({ of }) => of(one.data));
  const alike = first && second && first.counter.kind === second.counter.kind;
  const words = (of: (seen: Seen) => string | null | undefined, breaks = true) =>
    [one, other].map((side, at) => (
      <td key={at} className={`number ${breaks ? "breaks" : ""}`}>
        {of(side.data) ?? "—"}
      </td>
    ));
  return (
    <div className="scrolls">
      {shared.some(Boolean) && <p className="small soft">Both: {shared.filter(Boolean).join(" · ")}</p>}
      <table aria-label="Budgets side by side">
        <thead>
          <tr>
            <td />
            <th scope="col" className="number">
              {one.name}
            </th>
            <th scope="col" className="number">
              {other.name}
            </th>
            <th scope="col" className="number">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {different.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {words(of)}
              <td />
            </tr>
          ))}
          {LINES.filter(({ of }) => reports.some((report) => report && of(report.budget) > 0)).map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {words((seen) => seen.report && number(of(seen.report.budget)), false)}
              <td className="number">{alike ? signed(of(second.budget) - of(first.budget)) : "—"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {first && second && !alike && (
        <p className="small soft">Their tokens are counted in different ways and are not compared.</p>
      )}
    </div>
  );
}

const signed = (value: number) => (value === 0 ? "" : `${value > 0 ? "+" : "−"}${number(Math.abs(value))}`);
