/** Two numbers that are never mixed: what this request takes of the window, and what the space has spent so far. */
import { useQuery } from "@tanstack/react-query";
import { api, done } from "../api/client";
import { compact, count, money, number } from "../ui/numbers";
import { readOf } from "./cost";
import type { Seen } from "./seen";
import { occupied, portion } from "./window";
import { KIND, KINDS } from "./words";

export const spentOf = (space: string, revision: number) => ({
  queryKey: ["spent", space, revision],
  queryFn: () => done(api.GET("/api/usage", { params: { query: { space, by: "model" as const } } })),
  placeholderData: <T,>(old: T) => old,
});

function Occupancy({ seen }: { seen: Seen }) {
  const { report, call } = seen;
  if (!report) return null;
  const taken = occupied(report.budget);
  const whole = report.budget.contextLength;
  const { kind, name } = report.counter;
  const reported = call?.usage ? readOf(call.usage) : null;
  return (
    <div className="inspect-meter">
      <span className="label">This request</span>
      <span>
        <b className="figure">{number(taken)}</b> {whole > 0 ? `of ${number(whole)} tokens` : "tokens, window unknown"}{" "}
        <span className="source" title={`${KINDS[kind]}: ${name}`}>
          {KIND[kind]}
        </span>
      </span>
      {whole > 0 && (
        <div
          className="meter"
          role="meter"
          aria-label="Window taken by this request"
          aria-valuemin={0}
          aria-valuemax={whole}
          aria-valuenow={Math.min(taken, whole)}
          aria-valuetext={`${number(taken)} of ${number(whole)} tokens, ${KINDS[kind]}`}
        >
          <div style={{ width: `${Math.min(100, (100 * taken) / whole)}%` }} />
        </div>
      )}
      <span className="small soft">
        {whole > 0 && `${portion(taken, whole)} taken`}
        {report.truncated && " · something was cut"}
        {reported !== null && call && (
          <>
            {" · "}
            {number(reported)} <span className="source">{call.estimated ? "counted here" : "reported"}</span>
          </>
        )}
      </span>
    </div>
  );
}

function Spent({ space, revision }: { space: string; revision: number }) {
  const { data } = useQuery(spentOf(space, revision));
  if (!data) return <div className="inspect-meter" aria-hidden="true" />;
  const { calls, usage, costUsd, unpriced, estimated } = data.total;
  if (calls === 0) {
    return (
      <div className="inspect-meter">
        <span className="label">Spent here so far</span>
        <span>Nothing: no call was made.</span>
      </div>
    );
  }
  const priced = readOf(unpriced) + (unpriced.output ?? 0) < readOf(usage) + (usage.output ?? 0);
  return (
    <div className="inspect-meter">
      <span className="label">Spent here so far</span>
      <span>
        <b className="figure">{money(priced ? costUsd : null)}</b> for {count(calls, "call")}
      </span>
      <span className="small soft">
        {compact(readOf(usage))} read · {compact(usage.output ?? 0)} written{" "}
        <span className="source">
          {estimated === 0 ? "reported" : estimated === calls ? "counted here" : "partly reported"}
        </span>
        {priced && readOf(unpriced) > 0 && " · some without a price"}
      </span>
    </div>
  );
}

export function Meters({ seen, space, revision }: { seen: Seen | undefined; space: string | null; revision: number }) {
  return (
    <div className="inspect-meters">
      {seen && <Occupancy seen={seen} />}
      {space && <Spent space={space} revision={revision} />}
    </div>
  );
}
