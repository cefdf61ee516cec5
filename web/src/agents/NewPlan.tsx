/** A new plan: after a while, at a time, or again and again. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, asProblem, done, newKey, type Problem, told } from "../api/client";
import { onceKey } from "../api/once";
import type { Agent } from "../api/types";
import { Button, Field } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { type Wanted, WhenFields, wantedOf } from "./WhenFields";

interface NewPlanProps {
  /** Whose; chosen here if there is none. */
  agent?: string;
  among?: Agent[];
  close: () => void;
}

export function NewPlan({ agent, among = [], close }: NewPlanProps) {
  const queries = useQueryClient();
  const [whose, setWhose] = useState(agent ?? among[0]?.id ?? "");
  const [name, setName] = useState("");
  const [instruction, setInstruction] = useState("");
  const [wanted, setWanted] = useState<Wanted>({ kind: "cron", text: "0 9 * * 1-5", zone: ownZone() });
  const [fault, setFault] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [key] = useState(newKey);
  const make = async () => {
    setBusy(true);
    setFault(null);
    const body = { name: name.trim(), instruction: instruction.trim(), ...wantedOf(wanted) };
    try {
      await done(
        api.POST("/api/agents/{agent}/plans", {
          params: { path: { agent: whose }, header: { "Idempotency-Key": onceKey(key, { whose, ...body }) } },
          body,
        }),
      );
      await queries.invalidateQueries({ queryKey: ["agents", whose, "plans"] });
      close();
    } catch (problem) {
      setFault(asProblem(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="New plan"
      close={close}
      submit={() => void make()}
      footer={
        <Button look="main" type="submit" disabled={busy || !name.trim() || !instruction.trim() || !wanted.text.trim()}>
          Make it
        </Button>
      }
    >
      {!agent && (
        <Field label="Who does it">
          {(props) => (
            <select {...props} className="input" value={whose} onChange={(event) => setWhose(event.target.value)}>
              {among.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label="Name" fault={fault?.at === "name" ? fault.detail : null}>
        {(props) => (
          <input
            {...props}
            className="input"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="What it is to do then" fault={fault?.at === "instruction" ? fault.detail : null}>
        {(props) => (
          <textarea
            {...props}
            className="input"
            rows={3}
            maxLength={4000}
            value={instruction}
            onChange={(event) => setInstruction(event.target.value)}
          />
        )}
      </Field>
      <WhenFields wanted={wanted} set={setWanted} />
      {fault && fault.at !== "name" && fault.at !== "instruction" && <p role="alert">{told(fault)}</p>}
    </Dialog>
  );
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
