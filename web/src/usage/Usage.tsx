/** What was used and paid: by day, agent, model and space. */
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useEntityName, useSpaceName } from "../agents/names";
import { api, done, type Schemas, told } from "../api/client";
import { usePlace } from "../shell/title";
import { Empty, FaultBox, Spinner } from "../ui/controls";
import { compact, number } from "../ui/numbers";
import { Bars } from "./Bars";
import { Days } from "./Days";
import { Range } from "./Range";
import { BUCKETS, cacheHit, costWords, period, type Total } from "./sums";
import "./usage.css";

const OwnCalls = lazy(() => import("../inspector/OwnCalls").then(({ OwnCalls }) => ({ default: OwnCalls })));

type By = Schemas["SummedBy"];

export interface Scope {
  since?: string;
  until?: string;
  space?: string;
}

function useUsage(by: By, scope: Scope) {
  const offsetMinutes = -new Date().getTimezoneOffset();
  const query = {
    by,
    offsetMinutes,
    ...period(scope.since, scope.until),
    ...(scope.space ? { space: scope.space } : {}),
  };
  return useQuery({
    queryKey: ["usage", query],
    queryFn: () => done(api.GET("/api/usage", { params: { query } })),
    placeholderData: (before) => before,
  });
}

export function Page() {
  usePlace("Usage");
  const scope = useSearch({ from: "/inside/usage" });
  const days = useUsage("day", scope);
  return (
    <div className="page usage">
      <header>
        <h1>Usage</h1>
        <Range scope={scope} />
      </header>
      {days.error && <FaultBox text={told(days.error)} again={() => void days.refetch()} />}
      {days.isPending && <Spinner label="Adding up" />}
      {days.data && <Sum total={days.data.total} />}
      {days.data && days.data.total.calls === 0 && (
        <Empty title="Nothing was used in this time">
          Each call of a model is counted, in your spaces and through the drop-in endpoints.
        </Empty>
      )}
      {days.data && days.data.total.calls > 0 && (
        <>
          <Days rows={days.data.rows} scope={scope} />
          <Part by="agent" title="By agent" scope={scope} none="not an agent" />
          <Part by="model" title="By model" scope={scope} none="not known" />
          <Part by="space" title="By space" scope={scope} none="drop-in endpoints and runs of no space" />
        </>
      )}
      <section aria-label="Calls of your programs">
        <h2>Calls of your programs</h2>
        <Suspense fallback={<Spinner />}>
          <OwnCalls />
        </Suspense>
      </section>
    </div>
  );
}

function Sum({ total }: { total: Total }) {
  const hit = cacheHit(total.usage);
  return (
    <dl className="sum">
      <div>
        <dt>Cost</dt>
        <dd>{costWords(total)}</dd>
      </div>
      <div>
        <dt>Calls</dt>
        <dd>{number(total.calls)}</dd>
      </div>
      {BUCKETS.map((bucket) => (
        <div key={bucket.id}>
          <dt>
            <span className="swatch" data-bucket={bucket.id} aria-hidden="true" /> {bucket.name}
          </dt>
          <dd title={number(total.usage[bucket.id] ?? 0)}>{compact(total.usage[bucket.id] ?? 0)}</dd>
        </div>
      ))}
      <div>
        <dt>Cache hits</dt>
        <dd>{hit === null ? "—" : `${Math.round(hit * 100)} %`}</dd>
      </div>
    </dl>
  );
}

function Part({
  by,
  title,
  scope,
  none,
}: {
  by: "agent" | "model" | "space";
  title: string;
  scope: Scope;
  none: string;
}) {
  const { data, error, refetch } = useUsage(by, scope);
  const entity = useEntityName();
  const place = useSpaceName();
  const nameOf = (key: string | null | undefined) => {
    if (!key) return none;
    return by === "agent" ? entity(key) : by === "space" ? (place(key) ?? key) : key;
  };
  if (error) return <FaultBox text={told(error)} again={() => void refetch()} />;
  if (!data) return <Spinner />;
  return <Bars title={title} rows={data.rows} nameOf={nameOf} spaces={by === "space"} />;
}
