/** When a plan fires, as fields. */
import type { Schemas } from "../api/client";
import { Field } from "../ui/controls";

export interface Wanted {
  kind: "runAfter" | "scheduledAt" | "cron";
  text: string;
  zone: string;
}

const KINDS = [
  { id: "cron", name: "Again and again", text: "0 9 * * 1-5" },
  { id: "runAfter", name: "After a while", text: "2 hours" },
  { id: "scheduledAt", name: "At a time", text: "" },
] as const;

/** The part of the request that says when. */
export function wantedOf({ kind, text, zone }: Wanted): Pick<Schemas["PlanToMake"], Wanted["kind"] | "timeZone"> {
  return kind === "runAfter" ? { runAfter: text.trim() } : { [kind]: text.trim(), timeZone: zone.trim() };
}

export function WhenFields({ wanted, set }: { wanted: Wanted; set: (wanted: Wanted) => void }) {
  return (
    <fieldset className="stack">
      <legend className="small">
        <strong>When</strong>
      </legend>
      <div className="row wrap">
        {KINDS.map((kind) => (
          <label key={kind.id} className="row">
            <input
              type="radio"
              name="when"
              checked={wanted.kind === kind.id}
              onChange={() => set({ ...wanted, kind: kind.id, text: kind.text })}
            />
            {kind.name}
          </label>
        ))}
      </div>
      {wanted.kind === "cron" && (
        <Field
          label="Cron line"
          hint="Minute, hour, day of the month, month, weekday. 0 9 * * 1-5 is every working day at nine."
        >
          {(props) => (
            <input
              {...props}
              className="input mono"
              value={wanted.text}
              onChange={(event) => set({ ...wanted, text: event.target.value })}
            />
          )}
        </Field>
      )}
      {wanted.kind === "runAfter" && (
        <Field label="After" hint="Such as 90 minutes, 2 hours, 1 day.">
          {(props) => (
            <input
              {...props}
              className="input"
              value={wanted.text}
              onChange={(event) => set({ ...wanted, text: event.target.value })}
            />
          )}
        </Field>
      )}
      {wanted.kind === "scheduledAt" && (
        <Field label="Time">
          {(props) => (
            <input
              {...props}
              className="input"
              type="datetime-local"
              value={wanted.text}
              onChange={(event) => set({ ...wanted, text: event.target.value })}
            />
          )}
        </Field>
      )}
      {wanted.kind !== "runAfter" && (
        <Field label="Time zone">
          {(props) => (
            <input
              {...props}
              className="input"
              value={wanted.zone}
              onChange={(event) => set({ ...wanted, zone: event.target.value })}
            />
          )}
        </Field>
      )}
    </fieldset>
  );
}
