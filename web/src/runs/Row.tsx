/** A run on the board. */
import { Link } from "@tanstack/react-router";
import { useEntityName, useSpaceName } from "../agents/names";
import type { Run } from "../api/types";
import { Sign } from "../shell/Sign";
import { Avatar, Chip } from "../ui/controls";
import { count, when } from "../ui/numbers";
import { Acts } from "./Acts";
import { useTale } from "./data";
import { Since } from "./Since";
import { isOpen, MOST_DEPTH, needsLook, stands } from "./words";

export function Row({ run }: { run: Run }) {
  const nameOf = useEntityName();
  const { sign, words, tone } = stands(run);
  return (
    <li className="card run-row">
      <div className="row">
        <Avatar name={nameOf(run.agent)} agent />
        <Link className="grow cut run-name" to="/runs/$run" params={{ run: run.id }}>
          {nameOf(run.agent)}
        </Link>
        <span className="soft small">
          {isOpen(run) && run.createdAt ? (
            <Since at={run.createdAt} />
          ) : (
            (run.endedAt ?? run.createdAt) && when(run.endedAt ?? run.createdAt ?? "")
          )}
        </span>
      </div>
      <Woken run={run} />
      <div>
        <Chip tone={tone}>
          <Sign name={sign} size={11} /> <span className="wraps">{words}</span>
        </Chip>
      </div>
      {needsLook(run) && <WaitsSince run={run} />}
      {run.error && <p className="run-error small">{run.error}</p>}
      <div className="soft small">
        {count(run.steps, "step")} · chain {run.depth}/{MOST_DEPTH}
      </div>
      <Acts run={run} />
    </li>
  );
}

/** Where it was woken. */
export function Woken({ run }: { run: Run }) {
  const nameOf = useSpaceName();
  const name = run.space ? nameOf(run.space) : undefined;
  if (!run.space) return <div className="soft small">woken by a plan or a delivery</div>;
  if (!name) return <div className="soft small">woken in a space that is not yours</div>;
  return (
    <div className="small cut">
      <span className="soft">in </span>
      <Link to="/s/$space" params={{ space: run.space }}>
        {name}
      </Link>
    </div>
  );
}

/** Since when it waits, and with what: a person has to know before they decide. */
function WaitsSince({ run }: { run: Run }) {
  const tale = useTale(run.id, false).data;
  const wait = tale?.waits.find((one) => one.state === "open");
  const args = tale?.asks?.call.args;
  return (
    <>
      {wait?.at && (
        <div className="small soft">
          waits <Since at={wait.at} />
          {wait.until && <> · until {when(wait.until)}</>}
        </div>
      )}
      {args !== undefined && args !== null && <pre className="run-args">{JSON.stringify(args, null, 1)}</pre>}
    </>
  );
}
