/** A new service, and the secret it signs with. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAgents } from "../agents/names";
import { api, asProblem, done, newKey, type Problem, told } from "../api/client";
import { onceKey } from "../api/once";
import { Button, Field } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { Copy, Secret } from "./Copy";

export function NewService({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const agents = useAgents().data ?? [];
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState("");
  const [secret, setSecret] = useState<string | null>(null);
  const [fault, setFault] = useState<Problem | null>(null);
  const [key] = useState(newKey);
  const agent = chosen || agents[0]?.id || "";
  const make = async () => {
    setFault(null);
    try {
      const body = { name: name.trim(), agent };
      const header = { "Idempotency-Key": onceKey(key, body) };
      const made = await done(api.POST("/api/services", { params: { header }, body }));
      setSecret(made.secret ?? null);
      void queries.invalidateQueries({ queryKey: ["services"] });
    } catch (problem) {
      setFault(asProblem(problem));
    }
  };
  if (secret) {
    return (
      <Secret title={`What ${name.trim()} signs with`} secret={secret} close={close}>
        <p className="soft small">It delivers to this address:</p>
        <Copy label="Address" text={`${location.origin}/api/services/${name.trim()}`} />
      </Secret>
    );
  }
  return (
    <Dialog
      title="New service"
      close={close}
      submit={() => void make()}
      footer={
        <Button look="main" type="submit" disabled={!name.trim() || !agent}>
          Make it
        </Button>
      }
    >
      <Field
        label="Name"
        hint="A letter first, then letters, digits and single hyphens, all lower case. It stands in the address."
        fault={fault?.at === "name" ? fault.detail : null}
      >
        {(props) => (
          <input
            {...props}
            className="input mono"
            maxLength={64}
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Whom it wakes" hint={agents.length === 0 ? "Make an agent first." : undefined}>
        {(props) => (
          <select {...props} className="input" value={agent} onChange={(event) => setChosen(event.target.value)}>
            {agents.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {fault && fault.at !== "name" && <p role="alert">{told(fault)}</p>}
    </Dialog>
  );
}
