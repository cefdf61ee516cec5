/** An agent that lives elsewhere: where its program is told of due runs, and the token it comes with. */
import { useState } from "react";
import { api, done } from "../api/client";
import type { Agent } from "../api/types";
import { Copy, Secret } from "../settings/Copy";
import { Button, Field } from "../ui/controls";
import { attempt, say } from "../ui/toasts";

export function External({ agent, owner }: { agent: Agent; owner: boolean }) {
  const [url, setUrl] = useState("");
  const [shown, setShown] = useState<{ title: string; secret: string } | null>(null);
  const path = { agent: agent.id };
  const set = () =>
    attempt(async () => {
      const { secret } = await done(
        api.PUT("/api/agents/{agent}/push", { params: { path }, body: { url: url.trim() } }),
      );
      setShown({ title: "What hints are signed with", secret });
    });
  const drop = () =>
    attempt(async () => {
      await done(api.DELETE("/api/agents/{agent}/push", { params: { path } }));
      setUrl("");
      say("Its program is told nothing any more.");
    });
  const token = () =>
    attempt(async () => {
      const body = { name: `${agent.name}, elsewhere`, entity: agent.id, scopes: ["read", "write"] };
      const { secret } = await done(api.POST("/api/tokens", { body }));
      if (secret) setShown({ title: `The token of ${agent.name}`, secret });
    });
  return (
    <section className="card" aria-label="Its program elsewhere">
      <h2>Its program elsewhere</h2>
      <p className="soft small">
        A program with the agent's token takes its runs at <code>POST /api/runs/take</code>. It can ask again and again,
        or be told at an address when one is due.
      </p>
      {owner && (
        <div>
          <Button onClick={() => void token()}>Make a token for it</Button>
        </div>
      )}
      <Field
        label="Where it is told of due runs"
        hint="An address of its own; a new one takes the place of the one before."
      >
        {(props) => (
          <input
            {...props}
            className="input"
            type="url"
            placeholder="https://"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button disabled={url.trim() === ""} onClick={() => void set()}>
          Tell it there
        </Button>
        <Button look="quiet" onClick={() => void drop()}>
          Tell it nothing
        </Button>
      </div>
      <Copy label="Where it takes runs" text={`${location.origin}/api/runs/take`} />
      {shown && <Secret {...shown} close={() => setShown(null)} />}
    </section>
  );
}
