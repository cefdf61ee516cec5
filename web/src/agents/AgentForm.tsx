/** What an agent is: its name, model, prompt, sampling, and how far it acts in a loom. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, asProblem, done, type Problem, told } from "../api/client";
import type { Agent } from "../api/types";
import { Button, Field } from "../ui/controls";
import { number } from "../ui/numbers";
import { say } from "../ui/toasts";
import { changeOf, type Draft, draftOf, isSound, roughTokens } from "./form";
import { ModelField } from "./ModelField";
import { AGENTS } from "./names";
import { SamplingFields } from "./SamplingFields";

const LONGEST_PROMPT = 65_536;

const ACCESS: { id: Agent["loomAccess"]; says: string }[] = [
  { id: "read", says: "It looks around, and keeps a memory of its own." },
  { id: "write", says: "It also adds, links, marks and prunes." },
  { id: "generate", says: "It also lets its model write continuations, which costs money." },
];

interface AgentFormProps {
  agent: Agent;
  mark: (part: string, unsaved: boolean) => void;
}

export function AgentForm({ agent, mark }: AgentFormProps) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(agent));
  const [fault, setFault] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const change = changeOf(agent, draft);
  const unsaved = change !== null;
  useEffect(() => mark("agent", unsaved), [mark, unsaved]);
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const save = async () => {
    if (!change) return;
    setBusy(true);
    setFault(null);
    try {
      const now = await done(api.PATCH("/api/agents/{agent}", { params: { path: { agent: agent.id } }, body: change }));
      queries.setQueryData([...AGENTS, agent.id], now);
      setDraft(draftOf(now));
      void queries.invalidateQueries({ queryKey: AGENTS, exact: true });
      say("Saved.");
    } catch (problem) {
      setFault(asProblem(problem));
    } finally {
      setBusy(false);
    }
  };
  const at = (field: string) => (fault?.at === field ? fault.detail : null);
  const bytes = new TextEncoder().encode(draft.systemPrompt).length;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <section className="card" aria-label="What it is">
        <h2>What it is</h2>
        <div className="pair">
          <Field label="Name" fault={at("name")}>
            {(props) => (
              <input
                {...props}
                className="input"
                value={draft.name}
                maxLength={64}
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Field>
          <ModelField value={draft.model} change={(model) => set({ model })} fault={at("model")} />
        </div>
        <Field
          label="What it is told before all else"
          hint={`${number(bytes)} of ${number(LONGEST_PROMPT)} bytes, about ${number(roughTokens(draft.systemPrompt))} tokens in every request.`}
          fault={at("systemPrompt") ?? (bytes > LONGEST_PROMPT ? "This is too long." : null)}
        >
          {(props) => (
            <textarea
              {...props}
              className="input"
              rows={Math.min(18, Math.max(5, draft.systemPrompt.split("\n").length + 1))}
              value={draft.systemPrompt}
              onChange={(event) => set({ systemPrompt: event.target.value })}
            />
          )}
        </Field>
        <SamplingFields draft={draft} set={set} />
        <label className="row">
          <input
            type="checkbox"
            checked={draft.loomAware}
            onChange={(event) => set({ loomAware: event.target.checked })}
          />
          Loom-aware: it is shown the tree it stands in
        </label>
        {draft.loomAware && (
          <Field label="How far it may act there" hint={ACCESS.find((one) => one.id === draft.loomAccess)?.says}>
            {(props) => (
              <select
                {...props}
                className="input short"
                value={draft.loomAccess}
                onChange={(event) => set({ loomAccess: event.target.value as Agent["loomAccess"] })}
              >
                {ACCESS.map((one) => (
                  <option key={one.id}>{one.id}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        <label className="row">
          <input
            type="checkbox"
            checked={draft.external}
            onChange={(event) => set({ external: event.target.checked })}
          />
          It lives elsewhere: a program of yours does its runs
        </label>
        {fault && !at("name") && !at("model") && !at("systemPrompt") && <p role="alert">{told(fault)}</p>}
      </section>
      {unsaved && (
        <div className="save-bar">
          <span className="grow small">Not saved yet.</span>
          <Button onClick={() => setDraft(draftOf(agent))}>Discard</Button>
          <Button look="main" type="submit" disabled={busy || !isSound(draft) || bytes > LONGEST_PROMPT}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
