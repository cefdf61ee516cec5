/** What it costs: this call or the next, this path, the whole space. A price that is not known is a dash. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, done } from "../api/client";
import type { Report } from "../api/types";
import { Spinner } from "../ui/controls";
import { compact, count, money, number } from "../ui/numbers";
import { useAround } from "./around";
import { MOST_CALLS, manyCalls } from "./ask";
import { type CostLine, costLines, expected, type Prices, readOf, spent, total } from "./cost";
import { fates } from "./fates";
import { spentOf } from "./Meters";
import type { Seen } from "./seen";
import { KIND } from "./words";

export const models = {
  queryKey: ["models"],
  queryFn: () => done(api.GET("/api/models")),
  staleTime: 300_000,
};

export function CostTab({ seen, revision }: { seen: Seen; revision: number }) {
  const { space } = useAround();
  return (
    <div className="stack">
      {seen.call ? <OfCall seen={seen} /> : seen.report && <OfNext seen={seen} report={seen.report} />}
      {space && <OfPath space={space} seen={seen} revision={revision} />}
      {space && <OfSpace space={space} revision={revision} />}
    </div>
  );
}

function Lines({ lines, label, source }: { lines: CostLine[]; label: string; source: string }) {
  const shown = lines.filter((line) => line.tokens > 0);
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          <th scope="col">
            Tokens <span className="source">{source}</span>
          </th>
          <th scope="col" className="number">
            How many
          </th>
          <th scope="col" className="number" title="US dollars for a million tokens">
            Per million
          </th>
          <th scope="col" className="number">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((line) => (
          <tr key={line.bucket}>
            <th scope="row" className="plain">
              {line.name}
            </th>
            <td className="number">{number(line.tokens)}</td>
            <td className="number">{money(line.price)}</td>
            <td className="number">{money(line.usd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OfCall({ seen }: { seen: Seen }) {
  const call = seen.call!;
  if (!call.usage) return <p className="soft">This call told of no usage, so its cost is not known.</p>;
  const lines = costLines(call.usage, call.prices);
  return (
    <section className="stack">
      <h3>
        This call: {money(call.costUsd)}{" "}
        <span className="source">{call.estimated ? "tokens counted here" : "tokens reported"}</span>
      </h3>
      <Lines lines={lines} label="Cost of this call" source={call.estimated ? "counted here" : "reported"} />
      {!call.prices && <NoPrice model={call.model} />}
    </section>
  );
}

function OfNext({ seen, report }: { seen: Seen; report: Report }) {
  const { data } = useQuery(models);
  const prices: Prices | null = data?.models.find((one) => one.id === seen.model)?.prices ?? null;
  const lines = costLines(expected(report), prices);
  const { reserve } = report.budget;
  const reply = prices ? (reserve * prices.output) / 1_000_000 : null;
  return (
    <section className="stack">
      <h3>
        The next request: {money(prices ? total(lines) : null)} <span className="source">estimated</span>
      </h3>
      <Lines lines={lines} label="Cost of the next request" source={`${KIND[report.counter.kind]}, cache predicted`} />
      {reply !== null && (
        <p className="small soft">
          The reply comes on top: up to {money(reply)} for the {number(reserve)} tokens that are kept free for it.
        </p>
      )}
      {data && !prices && <NoPrice model={seen.model} />}
    </section>
  );
}

const NoPrice = ({ model }: { model?: string | null }) => (
  <p className="small soft">The price of {model ?? "this model"} is not known.</p>
);

/** Calls that led to a message of the path, abandoned branches left out. */
function OfPath({ space, seen, revision }: { space: string; seen: Seen; revision: number }) {
  const { parent } = useAround();
  const { data, error } = useQuery({
    queryKey: ["calls", space, "many", revision],
    queryFn: ({ signal }) => manyCalls(space, signal),
    gcTime: 30_000,
    placeholderData: (old) => old,
  });
  const path = useMemo(
    () => new Set(fates(seen.report?.items ?? [], parent).map((fate) => fate.node)),
    [seen.report, parent],
  );
  const sums = useMemo(() => {
    const of = (data?.calls ?? []).filter((call) => call.node && path.has(call.node));
    return spent(of);
  }, [data, path]);
  if (error || !seen.report) return null;
  if (!data) return <Spinner />;
  if (sums.calls === 0) {
    return (
      <p className="small soft">No call led to a message of this path: what runs spend is in the sum of the space.</p>
    );
  }
  return (
    <section className="stack">
      <h3>
        This path: {money(sums.unpriced === sums.calls ? null : sums.usd)}{" "}
        <span className="source">{sourceOf(sums.calls, sums.estimated)}</span>
      </h3>
      <p className="small soft">
        {count(sums.calls, "call")} that led to a message on it · {compact(readOf(sums.usage))} read ·{" "}
        {compact(sums.usage.output)} written{sums.unpriced > 0 && ` · ${count(sums.unpriced, "call")} without a price`}
        {!data.all && ` · of the newest ${number(MOST_CALLS)} calls`}
      </p>
    </section>
  );
}

const sourceOf = (calls: number, estimated: number) =>
  estimated === 0
    ? "reported"
    : estimated === calls
      ? "counted here"
      : `${number(estimated)} counted here, rest reported`;

function OfSpace({ space, revision }: { space: string; revision: number }) {
  const { data } = useQuery(spentOf(space, revision));
  if (!data) return <Spinner />;
  const dollars = (row: (typeof data)["total"]) => {
    const unpriced = readOf(row.unpriced) + (row.unpriced.output ?? 0);
    return money(unpriced > 0 && unpriced === readOf(row.usage) + (row.usage.output ?? 0) ? null : row.costUsd);
  };
  return (
    <section className="stack">
      <h3>
        The whole space, abandoned branches and failures too: {dollars(data.total)}{" "}
        <span className="source">{sourceOf(data.total.calls, data.total.estimated)}</span>
      </h3>
      <div className="scrolls">
        <table aria-label="Cost by model">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col" className="number">
                Calls
              </th>
              <th scope="col" className="number">
                Read
              </th>
              <th scope="col" className="number">
                Written
              </th>
              <th scope="col" className="number">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={row.key ?? ""}>
                <th scope="row" className="plain breaks">
                  {row.key ?? "not told"}
                </th>
                <td className="number">{number(row.calls)}</td>
                <td className="number">{number(readOf(row.usage))}</td>
                <td className="number">{number(row.usage.output ?? 0)}</td>
                <td className="number">{dollars(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.total.unreported > 0 && (
        <p className="small soft">{count(data.total.unreported, "call")} told of no usage and count as nothing here.</p>
      )}
    </section>
  );
}
