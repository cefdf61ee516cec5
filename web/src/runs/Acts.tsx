/** What a person does about a run: stop it, let it go on, allow or refuse its call. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, done } from "../api/client";
import type { Run } from "../api/types";
import { isOwner, useMe } from "../shell/me";
import { Button } from "../ui/controls";
import { attempt, say } from "../ui/toasts";
import { isOpen } from "./words";

const STOPPED: Record<string, string> = {
  now: "Stopped.",
  asked: "It stops after what it is doing.",
  over: "It had ended before.",
};

export function Acts({ run, always }: { run: Run; always?: boolean }) {
  const queries = useQueryClient();
  const me = useMe();
  const [busy, setBusy] = useState(false);
  const path = { run: run.id };
  const act = (what: () => Promise<unknown>) => {
    setBusy(true);
    void attempt(what).finally(() => {
      setBusy(false);
      void queries.invalidateQueries({ queryKey: ["runs"] });
    });
  };
  const decide = (allow: boolean, forever: boolean) =>
    act(() => done(api.PUT("/api/runs/{run}/decision", { params: { path }, body: { allow, always: forever } })));
  const stop = async () => {
    const { stopped } = await done(api.POST("/api/runs/{run}/cancel", { params: { path } }));
    say(STOPPED[stopped] ?? stopped);
  };
  if (!isOpen(run) || !me.scopes.includes("write")) return null;
  return (
    <div className="run-acts">
      {run.asksFor && (
        <>
          <Button look="main" disabled={busy} onClick={() => decide(true, false)}>
            Allow
          </Button>
          <Button disabled={busy} onClick={() => decide(false, false)}>
            Refuse
          </Button>
          {always && isOwner(me) && (
            <>
              <Button disabled={busy} onClick={() => decide(true, true)}>
                Always allow {run.asksFor}
              </Button>
              <Button disabled={busy} onClick={() => decide(false, true)}>
                Never allow it
              </Button>
            </>
          )}
        </>
      )}
      {run.status === "parked" && (
        <Button
          look="main"
          disabled={busy}
          onClick={() => act(() => done(api.POST("/api/runs/{run}/retry", { params: { path } })))}
        >
          Try again
        </Button>
      )}
      <Button disabled={busy} onClick={() => act(stop)}>
        Stop
      </Button>
    </div>
  );
}
