/** A new space: a chat, a loom, or a space with others. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, asProblem, done, newKey, type Problem, type Schemas, told } from "../api/client";
import { onceKey } from "../api/once";
import { Button, Field } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { useMe } from "./me";

export const KINDS = [
  { id: "chat", name: "Chat", says: "You and one agent; edit, retry and branch." },
  { id: "loom", name: "Loom", says: "One text that a model continues, in as many ways as you like." },
  { id: "team", name: "Space", says: "People and agents together." },
] as const;
export type Kind = (typeof KINDS)[number]["id"];

export function NewSpace({ begin = "chat", close }: { begin?: Kind; close: () => void }) {
  const me = useMe();
  const navigate = useNavigate();
  const [kind, setKind] = useState<Kind>(begin);
  const [name, setName] = useState("");
  const [model, setModel] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [confidential, setConfidential] = useState(false);
  const [fault, setFault] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [key] = useState(newKey);
  const models = useQuery({ queryKey: ["models"], queryFn: () => done(api.GET("/api/models")) });
  const people = useQuery({
    queryKey: ["people"],
    queryFn: () => done(api.GET("/api/people")),
    enabled: kind === "team",
  });
  const agents = useQuery({
    queryKey: ["agents"],
    queryFn: () => done(api.GET("/api/agents")),
    enabled: kind === "team",
  });
  const make = async () => {
    setBusy(true);
    setFault(null);
    try {
      const agent = kind === "team" ? undefined : { ...(model ? { model } : {}) };
      const body: Schemas["NewSpace"] = {
        name: name.trim(),
        mode: kind === "loom" ? "buffer" : "dialogue",
        wake: kind === "chat" ? "all" : "mentioned",
        confidential,
        members: kind === "team" ? chosen : [],
        ...(agent ? { agent } : {}),
      };
      const header = { "Idempotency-Key": onceKey(key, body) };
      const made = await done(api.POST("/api/spaces", { params: { header }, body }));
      close();
      await navigate({ to: "/s/$space", params: { space: made.space.id } });
    } catch (problem) {
      setFault(asProblem(problem));
      setBusy(false);
    }
  };
  const humans = (people.data ?? []).map((one) => one.person).filter((one) => one.id !== me.me.id);
  const others = [
    ...humans.map((one) => ({ id: one.id, name: one.name, what: "" })),
    ...(agents.data ?? []).map((one) => ({ id: one.id, name: one.name, what: "agent" })),
  ];
  return (
    <Dialog
      title="New space"
      close={close}
      submit={() => void make()}
      footer={
        <Button look="main" type="submit" disabled={busy}>
          Make it
        </Button>
      }
    >
      <fieldset className="kinds">
        <legend className="unseen">What it is</legend>
        {KINDS.map((one) => (
          <label key={one.id} className="card">
            <input type="radio" name="kind" checked={kind === one.id} onChange={() => setKind(one.id)} />{" "}
            <strong>{one.name}</strong>
            <div className="soft small">{one.says}</div>
          </label>
        ))}
      </fieldset>
      <Field
        label="Name"
        hint={kind === "team" ? undefined : "May be empty."}
        fault={fault?.at === "name" ? fault.detail : null}
      >
        {(props) => (
          <input
            {...props}
            className="input"
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {kind !== "team" && (
        <Field label="Model" hint="Can be changed later." fault={fault?.at === "agent.model" ? fault.detail : null}>
          {(props) => (
            <select {...props} className="input" value={model} onChange={(event) => setModel(event.target.value)}>
              <option value="">The server's own</option>
              {(models.data?.models ?? []).map((one) => (
                <option key={one.id}>{one.id}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      {kind === "team" && (
        <fieldset className="stack">
          <legend className="small">
            <strong>Who belongs to it</strong> (more can be invited later)
          </legend>
          <div className="others">
            {others.map((one) => (
              <label key={one.id} className="row">
                <input
                  type="checkbox"
                  checked={chosen.includes(one.id)}
                  onChange={(event) =>
                    setChosen(event.target.checked ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))
                  }
                />
                {one.name} <span className="soft small">{one.what}</span>
              </label>
            ))}
          </div>
          {others.length === 0 && <span className="soft small">Nobody else is known yet.</span>}
          <label className="row">
            <input type="checkbox" checked={confidential} onChange={(event) => setConfidential(event.target.checked)} />
            Confidential: agents repeat nothing of it where others read
          </label>
        </fieldset>
      )}
      {fault && fault.at !== "name" && fault.at !== "agent.model" && <p role="alert">{told(fault)}</p>}
    </Dialog>
  );
}
