/** What agents are doing right now, under what was said: working, waiting, asking for leave, failed. */
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api, done } from "../api/client";
import type { Run } from "../api/types";
import { type Asked, isOver } from "../live/room";
import { isOwner, useMe } from "../shell/me";
import { Button, Icon } from "../ui/controls";
import { span } from "../ui/numbers";
import { attempt } from "../ui/toasts";
import { useOpened } from "./context";
import { signOf, standing } from "./presence";
import { glance } from "./ToolUse";
import { useTalking } from "./talking";

/** The time, every second, while somebody looks at it. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function Chips() {
  const { room, state } = useOpened();
  const runs = state.runs.filter((run) => !isOver(run) || run.status === "failed");
  if (runs.length === 0 && state.asked.length === 0 && !state.notice) return null;
  return (
    <section className="chips" aria-label="What agents are doing">
      {state.asked.map((asked) => (
        <Leave key={asked.call} asked={asked} />
      ))}
      {runs.map((run) => (
        <RunChip key={run.id} run={run} />
      ))}
      {state.notice && (
        <div className="run-chip">
          <span className="grow">{state.notice}</span>
          <Icon label="Dismiss" onClick={() => room.hush()}>
            ✕
          </Icon>
        </div>
      )}
    </section>
  );
}

const stop = (run: Run) =>
  attempt(() => done(api.POST("/api/runs/{run}/cancel", { params: { path: { run: run.id } } })));
const again = (run: Run) =>
  attempt(() => done(api.POST("/api/runs/{run}/retry", { params: { path: { run: run.id } } })));
const decide = (run: Run, allow: boolean, always: boolean) =>
  attempt(() =>
    done(api.PUT("/api/runs/{run}/decision", { params: { path: { run: run.id } }, body: { allow, always } })),
  );

/** Since when a run is as it is: told where it waits; else seen here, or at the latest since it was woken. */
function useSince(run: Run): number | null {
  const seen = useRef({ status: run.status, at: run.createdAt ? Date.parse(run.createdAt) : null });
  if (seen.current.status !== run.status) seen.current = { status: run.status, at: Date.now() };
  return run.waitsSince ? Date.parse(run.waitsSince) : seen.current.at;
}

function RunChip({ run }: { run: Run }) {
  const { room, nameOf } = useTalking();
  const now = useNow();
  const begun = useSince(run);
  const since = begun && !isOver(run) ? ` · ${span(now - begun)}` : "";
  const asks = run.asksFor && !isOver(run);
  return (
    <div className={`run-chip ${run.status === "failed" ? "failed" : ""}`}>
      <span aria-hidden="true">{signOf(run)}</span>
      <span className="grow">
        <strong>{nameOf(run.agent)}</strong> {standing(run)}
        <span className="number">{since}</span>
      </span>
      <span className="row wraps">
        {asks && (
          <Decide allow={(always) => void decide(run, true, always)} refuse={() => void decide(run, false, false)} />
        )}
        {run.status === "parked" && !asks && (
          <Button className="small" onClick={() => void again(run)}>
            ↻ Retry
          </Button>
        )}
        {!isOver(run) && (
          <Button className="small" onClick={() => void stop(run)}>
            ◼ Stop
          </Button>
        )}
        <Link className="small" to="/runs/$run" params={{ run: run.id }}>
          why
        </Link>
        {isOver(run) && (
          <Icon label="Dismiss" onClick={() => room.forget(run.id)}>
            ✕
          </Icon>
        )}
      </span>
    </div>
  );
}

function Decide({ allow, refuse }: { allow: (always: boolean) => void; refuse: () => void }) {
  const owner = isOwner(useMe());
  return (
    <>
      <Button className="small" look="main" onClick={() => allow(false)}>
        Allow
      </Button>
      <Button className="small" onClick={refuse}>
        Refuse
      </Button>
      {owner && (
        <Button className="small" title="This tool is never asked about again" onClick={() => allow(true)}>
          Always
        </Button>
      )}
    </>
  );
}

/** A tool of a reply in a chat that asks for leave. */
function Leave({ asked }: { asked: Asked }) {
  const { room, agent } = useTalking();
  const permit = (allow: boolean, always: boolean) =>
    void attempt(async () => {
      const path = { space: room.id, call: asked.call };
      await done(api.PUT("/api/spaces/{space}/permissions/{call}", { params: { path }, body: { allow, always } }));
      room.answered(asked.call);
    });
  return (
    <div className="run-chip asks" role="alert">
      <span aria-hidden="true">✋</span>
      <details className="grow">
        <summary>
          <strong>{agent?.name ?? "The agent"}</strong> asks for leave to use <code>{asked.name}</code>
          {asked.server ? ` of ${asked.server}` : ""}{" "}
          <span className="soft small">{glance(asked.args).slice(0, 120)}</span>
        </summary>
        {asked.description && <p className="soft small">{asked.description}</p>}
        <pre>{JSON.stringify(asked.args, null, 2)}</pre>
      </details>
      <span className="row wraps">
        <Decide allow={(always) => permit(true, always)} refuse={() => permit(false, false)} />
      </span>
    </div>
  );
}
