/** How an agent's model samples. Nothing in a field: the model's own way. */
import { Field } from "../ui/controls";
import { type Draft, faultOf } from "./form";

const FIELDS = [
  { id: "temperature", label: "Temperature" },
  { id: "topP", label: "Top P" },
  { id: "topK", label: "Top K" },
  { id: "seed", label: "Seed" },
] as const;

export function SamplingFields({ draft, set }: { draft: Draft; set: (part: Partial<Draft>) => void }) {
  const isSet = FIELDS.some((field) => draft[field.id] !== "") || draft.stop !== "";
  return (
    <details open={isSet}>
      <summary>Sampling</summary>
      <div className="sampling">
        {FIELDS.map((field) => (
          <Field key={field.id} label={field.label} fault={faultOf(field.id, draft[field.id])}>
            {(props) => (
              <input
                {...props}
                className="input"
                inputMode="decimal"
                placeholder="the model's own"
                value={draft[field.id]}
                onChange={(event) => set({ [field.id]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Field label="Stops at" hint="One text a line.">
          {(props) => (
            <textarea
              {...props}
              className="input"
              rows={2}
              value={draft.stop}
              onChange={(event) => set({ stop: event.target.value })}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
