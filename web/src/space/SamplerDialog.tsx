/** Model and sampling: of the agent, where it is yours to change; else of what you ask from this browser. */
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, done } from "../api/client";
import type { Agent, HowBody, Person } from "../api/types";
import { Button, Field } from "../ui/controls";
import { compact } from "../ui/numbers";
import { Dialog } from "../ui/overlay";
import { attempt, say } from "../ui/toasts";
import { useOpened } from "./context";
import { setHow, useHow } from "./how";
import { useModels } from "./models";
import { formOf, numeric, samplingOf } from "./sampling";

type Where = "agent" | "here";

const NUMBERS = [
  { name: "temperature", label: "Temperature", hint: "0 is always alike", step: "0.1", max: 2 },
  { name: "topP", label: "Top p", hint: "0 to 1", step: "0.05", max: 1 },
  { name: "topK", label: "Top k", hint: "whole", step: "1", max: undefined },
  { name: "seed", label: "Seed", hint: "for repeating", step: "1", max: undefined },
  { name: "maxTokens", label: "Most tokens of a reply", hint: "the rest is cut off", step: "1", max: undefined },
] as const;

export function SamplerDialog({ agent, known, close }: { agent: Person; known: Agent | null; close: () => void }) {
  const { room, state } = useOpened();
  const how = useHow(room.id);
  const queries = useQueryClient();
  const manages = known?.may === "manage";
  const [where, setWhere] = useState<Where>(manages && Object.keys(how).length === 0 ? "agent" : "here");
  const settings = state.space?.settings;
  const start = (from: Where) =>
    from === "agent"
      ? formOf(known?.model ?? agent.model ?? "", known?.sampling, settings?.maxTokens)
      : formOf(how.model ?? "", how.sampling, how.maxTokens);
  const [form, setForm] = useState(() => start(where));
  const models = useModels();
  const list = useId();

  const save = async () => {
    const sampling = samplingOf(form);
    const maxTokens = numeric(form.maxTokens);
    if (where === "here") {
      const next: HowBody = {
        ...(form.model ? { model: form.model } : {}),
        ...(Object.keys(sampling).length > 0 ? { sampling } : {}),
        ...(maxTokens ? { maxTokens } : {}),
      };
      setHow(room.id, next);
      say("It holds for what you ask from this browser.");
      close();
      return;
    }
    const saved = await attempt(async () => {
      const path = { agent: agent.id };
      await done(api.PATCH("/api/agents/{agent}", { params: { path }, body: { model: form.model, sampling } }));
      if ((settings?.maxTokens ?? undefined) !== maxTokens) {
        const body = { settings: { ...settings, maxTokens: maxTokens ?? null } };
        await done(api.PATCH("/api/spaces/{space}", { params: { path: { space: room.id } }, body }));
      }
      return true;
    });
    if (!saved) return;
    setHow(room.id, {});
    await queries.invalidateQueries({ queryKey: ["agents"] });
    await queries.invalidateQueries({ queryKey: ["figures", room.id] });
    await room.meet();
    say(`It holds wherever ${agent.name} replies.`);
    close();
  };
  return (
    <Dialog
      title="Model and sampling"
      close={close}
      submit={() => void save()}
      footer={
        <>
          {where === "here" && Object.keys(how).length > 0 && (
            <Button
              onClick={() => {
                setHow(room.id, {});
                close();
              }}
            >
              As the agent has it
            </Button>
          )}
          <Button look="main" type="submit">
            Save
          </Button>
        </>
      }
    >
      {manages && (
        <fieldset className="row wraps plain-set">
          <legend className="unseen">For whom</legend>
          {(["agent", "here"] as const).map((one) => (
            <label key={one} className="row">
              <input
                type="radio"
                name="where"
                checked={where === one}
                onChange={() => {
                  setWhere(one);
                  setForm(start(one));
                }}
              />
              {one === "agent" ? `${agent.name}, everywhere` : "Only here, from this browser"}
            </label>
          ))}
        </fieldset>
      )}
      <Field label="Model" hint={where === "agent" ? "Empty for the server's own." : "Empty for the agent's own."}>
        {(props) => (
          <>
            <input
              {...props}
              className="input"
              list={list}
              value={form.model}
              onChange={(event) => setForm({ ...form, model: event.target.value })}
            />
            <datalist id={list}>
              {models.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.contextLength ? `${compact(one.contextLength)} tokens` : ""}
                  {one.prices ? ` · $${one.prices.input} in, $${one.prices.output} out` : ""}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
      <div className="numbers">
        {NUMBERS.map(({ name, label, hint, step, max }) => (
          <Field key={name} label={label} hint={hint}>
            {(props) => (
              <input
                {...props}
                className="input"
                type="number"
                min={0}
                max={max}
                step={step}
                placeholder="—"
                value={form[name]}
                onChange={(event) => setForm({ ...form, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <Field label="Stop at" hint="One text in each line; the reply ends before it.">
        {(props) => (
          <textarea
            {...props}
            className="input"
            rows={2}
            value={form.stop}
            onChange={(event) => setForm({ ...form, stop: event.target.value })}
          />
        )}
      </Field>
    </Dialog>
  );
}
