/** One run, told from its beginning: what woke it, what it did, what it waited for, what it cost. */
import { Link, useParams } from "@tanstack/react-router";
import { useEntityName } from "../agents/names";
import { Problem, told } from "../api/client";
import { Sign } from "../shell/Sign";
import { usePlace } from "../shell/title";
import { Chip, Empty, FaultBox, Spinner } from "../ui/controls";
import { atFull, count, money } from "../ui/numbers";
import { Acts } from "./Acts";
import { Calls } from "./Calls";
import { useOpenRuns, useTale } from "./data";
import { Woken } from "./Row";
import { Since } from "./Since";
import { Steps } from "./Steps";
import { Triggers } from "./Triggers";
import { Waits } from "./Waits";
import { costOf, isOpen, MOST_DEPTH, stands } from "./words";
import "./runs.css";

export function Page() {
  const { run: id } = useParams({ from: "/inside/runs/$run" });
  const open = useOpenRuns().data;
  const goesOn = open ? open.some((run) => run.id === id) : true;
  const { data: tale, error, isPending, refetch } = useTale(id, goesOn);
  const nameOf = useEntityName();
  usePlace(tale ? `Run of ${nameOf(tale.run.agent)}` : "Run");
  if (error instanceof Problem && error.status === 404) {
    return (
      <Empty title="There is no such run for you" action={<Link to="/runs">All runs</Link>}>
        It was never here, or you may not see it.
      </Empty>
    );
  }
  if (isPending) return <Spinner label="Loading the run" />;
  if (!tale) {
    return (
      <div className="page">
        <FaultBox text={told(error)} again={() => void refetch()} />
      </div>
    );
  }
  const { run } = tale;
  const { sign, words, tone } = stands(run);
  return (
    <div className="page tale">
      <header>
        <h1>
          Run of{" "}
          <Link to="/agents/$agent" params={{ agent: run.agent }}>
            {nameOf(run.agent)}
          </Link>
        </h1>
        <Chip tone={tone}>
          <Sign name={sign} size={11} /> <span className="wraps">{words}</span>
        </Chip>
      </header>
      <div className="small">
        <Woken run={run} />
        <div className="soft">
          {run.createdAt && <>woken {atFull(run.createdAt)} · </>}
          {run.endedAt ? (
            <>ended {atFull(run.endedAt)}</>
          ) : (
            run.createdAt && isOpen(run) && <Since at={run.createdAt} />
          )}
          {" · "}
          {count(run.steps, "step")} · chain {run.depth}/{MOST_DEPTH} · {money(costOf(tale))}
        </div>
      </div>
      {tale.hidden && (
        <p className="soft">
          Words are left out: the run had to do with spaces that you do not belong to. You can stop it, not allow its
          calls.
        </p>
      )}
      {run.error && <p className="run-error">{run.error}</p>}
      {tale.asks && (
        <section className="card" aria-label="It asks for leave">
          <h2>It wants to call {tale.asks.call.name}</h2>
          <pre className="run-args">{JSON.stringify(tale.asks.call.args ?? null, null, 2)}</pre>
          {tale.asks.until && <p className="soft small">Somebody may decide until {atFull(tale.asks.until)}.</p>}
        </section>
      )}
      <Acts run={run} always />
      <Triggers tale={tale} />
      <Steps tale={tale} />
      <Waits tale={tale} />
      <Calls tale={tale} />
    </div>
  );
}
