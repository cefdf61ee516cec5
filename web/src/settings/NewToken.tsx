/** A token for a program. It is shown once. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, asProblem, done, newKey, type Problem, told } from "../api/client";
import { onceKey } from "../api/once";
import { useMe } from "../shell/me";
import { Button, Field } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { Secret } from "./Copy";

const SCOPES = [
  { id: "read", says: "look at everything that you may" },
  { id: "write", says: "say and change things" },
  { id: "models", says: "use models through the drop-in endpoints" },
  { id: "admin", says: "do what owners do" },
];

export function NewToken({ close }: { close: () => void }) {
  const me = useMe();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(["read", "write", "models"].filter((one) => me.scopes.includes(one)));
  const [days, setDays] = useState("");
  const [secret, setSecret] = useState<string | null>(null);
  const [fault, setFault] = useState<Problem | null>(null);
  const [key] = useState(newKey);
  const make = async () => {
    setFault(null);
    try {
      const body = { name: name.trim(), scopes, ...(days ? { expiresInDays: Number(days) } : {}) };
      const header = { "Idempotency-Key": onceKey(key, body) };
      const made = await done(api.POST("/api/tokens", { params: { header }, body }));
      setSecret(made.secret ?? null);
      void queries.invalidateQueries({ queryKey: ["tokens"] });
    } catch (problem) {
      setFault(asProblem(problem));
    }
  };
  if (secret) {
    return (
      <Secret title={`The token "${name.trim()}"`} secret={secret} close={close}>
        <p className="soft small">
          As a bearer token for the API, or as the API key of a client whose base address is{" "}
          <code>{location.origin}/v1</code>.
        </p>
      </Secret>
    );
  }
  return (
    <Dialog
      title="New token"
      close={close}
      submit={() => void make()}
      footer={
        <Button look="main" type="submit" disabled={!name.trim() || scopes.length === 0}>
          Make it
        </Button>
      }
    >
      <Field label="What it is for" fault={fault?.at === "name" ? fault.detail : null}>
        {(props) => (
          <input
            {...props}
            className="input"
            maxLength={150}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <fieldset className="stack">
        <legend className="small">
          <strong>What it may do</strong>
        </legend>
        {SCOPES.filter((one) => me.scopes.includes(one.id)).map((one) => (
          <label key={one.id} className="row">
            <input
              type="checkbox"
              checked={scopes.includes(one.id)}
              onChange={(event) =>
                setScopes(event.target.checked ? [...scopes, one.id] : scopes.filter((id) => id !== one.id))
              }
            />
            <span>
              <code>{one.id}</code> <span className="soft small">{one.says}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field label="It ends">
        {(props) => (
          <select {...props} className="input short" value={days} onChange={(event) => setDays(event.target.value)}>
            <option value="">never</option>
            <option value="1">in a day</option>
            <option value="30">in 30 days</option>
            <option value="90">in 90 days</option>
            <option value="365">in a year</option>
          </select>
        )}
      </Field>
      {fault && fault.at !== "name" && <p role="alert">{told(fault)}</p>}
    </Dialog>
  );
}
