/** All runs, by where they stand. On a narrow screen the columns are sections. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useAgents } from "../agents/names";
import { told } from "../api/client";
import type { Run } from "../api/types";
import { useHouse } from "../live/house";
import { usePlace } from "../shell/title";
import { Button, FaultBox, Spinner } from "../ui/controls";
import { type Filter, useEnded, useOpenRuns } from "./data";
import { Row } from "./Row";
import { COLUMNS, type Column, inColumn } from "./words";
import "./runs.css";

export function Page() {
  usePlace("Runs");
  const filter = useSearch({ from: "/inside/runs" });
  const open = useOpenRuns(true);
  const fits = (run: Run) =>
    (!filter.agent || run.agent === filter.agent) && (!filter.space || run.space === filter.space);
  const runs = open.data?.filter(fits);
  return (
    <div className="page board-page">
      <header>
        <h1>Runs</h1>
        <Filters filter={filter} />
      </header>
      {open.error && <FaultBox text={told(open.error)} again={() => void open.refetch()} />}
      {open.isPending && <Spinner label="Loading runs" />}
      {runs && (
        <div className="board">
          {COLUMNS.map((column) =>
            column.id === "done" || column.id === "failed" ? (
              <Ended key={column.id} id={column.id} name={column.name} filter={filter} />
            ) : (
              <Col key={column.id} id={column.id} name={column.name} runs={inColumn(runs, column.id)} />
            ),
          )}
        </div>
      )}
    </div>
  );
}

const NOTHING: Record<Column, string> = {
  queued: "Nothing is due.",
  running: "Nobody is at work.",
  waiting: "Nobody waits.",
  done: "Nothing has ended yet. Mention an agent in a space, and it runs.",
  failed: "Nothing failed.",
};

function Col({
  id,
  name,
  runs,
  more,
  total,
}: {
  id: Column;
  name: string;
  runs: Run[];
  more?: React.ReactNode;
  total?: string;
}) {
  return (
    <section className="board-column" aria-label={name}>
      <h2>
        {name} <span className="soft">{total ?? runs.length}</span>
      </h2>
      {runs.length === 0 ? (
        <p className="soft small">{NOTHING[id]}</p>
      ) : (
        <ul>
          {runs.map((run) => (
            <Row key={run.id} run={run} />
          ))}
        </ul>
      )}
      {more}
    </section>
  );
}

function Ended({ id, name, filter }: { id: "done" | "failed"; name: string; filter: Filter }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useEnded(id, filter);
  if (error && !data) return <FaultBox text={told(error)} again={() => void refetch()} />;
  if (!data) return <Spinner label={`Loading ${name}`} />;
  const runs = data.pages.flatMap((page) => page.runs);
  const more = hasNextPage && (
    <>
      {error && <FaultBox text={told(error)} />}
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Earlier ones
      </Button>
    </>
  );
  return <Col id={id} name={name} runs={runs} more={more} total={hasNextPage ? `${runs.length}+` : undefined} />;
}

function Filters({ filter }: { filter: Filter }) {
  const navigate = useNavigate();
  const agents = useAgents().data ?? [];
  const { spaces } = useHouse();
  const set = (change: Filter) =>
    void navigate({ to: "/runs", search: (before: Filter) => ({ ...before, ...change }), replace: true });
  return (
    <div className="row board-filters">
      <select
        className="input short"
        aria-label="Agent"
        value={filter.agent ?? ""}
        onChange={(event) => set({ agent: event.target.value || undefined })}
      >
        <option value="">All agents</option>
        {agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.name}
          </option>
        ))}
      </select>
      <select
        className="input short"
        aria-label="Space"
        value={filter.space ?? ""}
        onChange={(event) => set({ space: event.target.value || undefined })}
      >
        <option value="">All spaces</option>
        {spaces.map((space) => (
          <option key={space.id} value={space.id}>
            {space.name || "Unnamed"}
          </option>
        ))}
      </select>
    </div>
  );
}
