/** A new agent. What else it is can be set on its page. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, asProblem, done, newKey, type Problem, told } from "../api/client";
import { onceKey } from "../api/once";
import { Button, Field } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { ModelField } from "./ModelField";
import { AGENTS } from "./names";

export function NewAgent({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [model, setModel] = useState("");
  const [systemPrompt, setPrompt] = useState("");
  const [external, setExternal] = useState(false);
  const [fault, setFault] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [key] = useState(newKey);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const make = async () => {
    setBusy(true);
    setFault(null);
    try {
      const body = { name: name.trim(), model: model.trim(), systemPrompt, external };
      const header = { "Idempotency-Key": onceKey(key, body) };
      const made = await done(api.POST("/api/agents", { params: { header }, body }));
      await queries.invalidateQueries({ queryKey: AGENTS });
      close();
      await navigate({ to: "/agents/$agent", params: { agent: made.id } });
    } catch (problem) {
      setFault(asProblem(problem));
      setBusy(false);
    }
  };
  const at = (field: string) => (fault?.at === field ? fault.detail : null);
  const placed = fault?.at && ["name", "model", "systemPrompt"].includes(fault.at);
  return (
    <Dialog
      title="New agent"
      close={close}
      submit={() => void make()}
      footer={
        <Button look="main" type="submit" disabled={busy || name.trim() === ""}>
          Make it
        </Button>
      }
    >
      <Field label="Name" hint="People wake it with @ and this name." fault={at("name")}>
        {(props) => (
          <input
            {...props}
            className="input"
            value={name}
            maxLength={64}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <ModelField value={model} change={setModel} fault={at("model")} />
      <Field label="What it is told before all else" hint="May be empty." fault={at("systemPrompt")}>
        {(props) => (
          <textarea
            {...props}
            className="input"
            rows={4}
            value={systemPrompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
        )}
      </Field>
      <label className="row">
        <input type="checkbox" checked={external} onChange={(event) => setExternal(event.target.checked)} />
        It lives elsewhere: a program of yours does its runs
      </label>
      {fault && !placed && <p role="alert">{told(fault)}</p>}
    </Dialog>
  );
}
