/** The controls of the lab. Each can be left as it is now. */
import type { ReactNode } from "react";
import { Field } from "../ui/controls";
import { number } from "../ui/numbers";

interface ChoiceProps<T extends string> {
  label: string;
  hint?: ReactNode;
  now?: string;
  value: T | null | undefined;
  options: [string, string][];
  choose: (value: T | undefined) => void;
}

export function Choice<T extends string>({ label, hint, now, value, options, choose }: ChoiceProps<T>) {
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <select
          {...field}
          className="input"
          value={value ?? ""}
          onChange={(event) => choose((event.target.value || undefined) as T | undefined)}
        >
          <option value="">{now ? `As now: ${now}` : "As now"}</option>
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface AmountProps {
  label: string;
  hint?: string;
  now?: number;
  value: number | null | undefined;
  least?: number;
  most?: number;
  choose: (value: number | undefined) => void;
}

export function Amount({ label, hint, now, value, least = 0, most, choose }: AmountProps) {
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <input
          {...field}
          className="input figure"
          type="number"
          min={least}
          max={most}
          placeholder={now === undefined ? "As now" : `As now: ${number(now)}`}
          value={value ?? ""}
          onChange={(event) => {
            const typed = event.target.valueAsNumber;
            choose(Number.isFinite(typed) ? Math.max(least, Math.min(most ?? typed, Math.round(typed))) : undefined);
          }}
        />
      )}
    </Field>
  );
}

/** Small windows are as far apart as large ones: the slider doubles, it does not add. */
const LEAST = 256;
const STEPS = 200;

export function Length({
  value,
  now,
  most,
  choose,
}: {
  value: number | null;
  now: number;
  most: number;
  choose: (value?: number) => void;
}) {
  const ratio = Math.log(most / LEAST);
  const shown = value ?? now;
  const step = shown <= LEAST ? 0 : Math.min(STEPS, Math.round((STEPS * Math.log(shown / LEAST)) / ratio));
  const at = (place: number) => Math.round(LEAST * Math.exp((ratio * place) / STEPS));
  return (
    <div className="length">
      <Amount label="Context length" now={now} least={1} value={value} choose={choose} />
      <input
        type="range"
        aria-label="Context length"
        aria-valuetext={`${number(shown)} tokens`}
        min={0}
        max={STEPS}
        value={step}
        onChange={(event) => choose(at(event.target.valueAsNumber))}
      />
    </div>
  );
}
