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
import { isOpen, MOST_DEPTH, stands } from "./words";

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
      {run.waitsSince && (
        <div className="small soft">
          since {when(run.waitsSince)} · <Since at={run.waitsSince} />
        </div>
      )}
      {run.asksFor && <Asks run={run} />}
      {run.error && <p className="run-error small">{run.error}</p>}
      <div className="soft small">
        {count(run.steps, "step")} · chain {run.depth}/{MOST_DEPTH}
      </div>
      <Acts run={run} />
    </li>
  );
}

/** What woke it, and where. */
export function Woken({ run }: { run: Run }) {
  const spaceName = useSpaceName();
  const nameOf = useEntityName();
  const { cause, space } = run;
  if (cause?.kind === "plan") return <div className="soft small cut">woken by the plan {cause.name ?? ""}</div>;
  if (cause?.kind === "delivery")
    return <div className="soft small cut">woken by a delivery of {cause.name ?? ""}</div>;
  const name = space ? spaceName(space) : undefined;
  if (!space) return <div className="soft small">woken by a plan or a delivery</div>;
  if (!name) return <div className="soft small">woken in a space that is not yours</div>;
  return (
    <div className="small cut">
      <span className="soft">woken by </span>
      <Link
        to="/s/$space"
        params={{ space }}
        search={cause?.message ? { node: cause.message } : {}}
        aria-label={cause?.author ? `a message of ${nameOf(cause.author)}` : undefined}
      >
        {cause?.author ? nameOf(cause.author) : "a message"}
      </Link>
      <span className="soft"> in </span>
      <Link to="/s/$space" params={{ space }}>
        {name}
      </Link>
    </div>
  );
}

/** With what it wants to call a tool: a person has to know before they decide. */
function Asks({ run }: { run: Run }) {
  const args = useTale(run.id, false).data?.asks?.call.args;
  if (args === undefined || args === null) return null;
  return <pre className="run-args">{JSON.stringify(args, null, 1)}</pre>;
}
