/** Buttons, fields, chips: the smallest things. */
import { type ComponentProps, type ReactNode, useId } from "react";

type Look = "plain" | "main" | "danger" | "quiet";

export function Button({ look = "plain", className = "", ...rest }: ComponentProps<"button"> & { look?: Look }) {
  return <button type="button" className={`button ${look} ${className}`} {...rest} />;
}

/** A button that is a sign: `label` says what it does, to the eye on hover and to a screen reader. */
export function Icon({ label, className = "", ...rest }: ComponentProps<"button"> & { label: string }) {
  return (
    <button type="button" className={`button quiet icon ${className}`} aria-label={label} title={label} {...rest} />
  );
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  fault?: string | null;
  children: (props: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => ReactNode;
}

/** A label, its control, a hint and what is wrong with it. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const about = fault || hint ? `${id}-about` : undefined;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-describedby": about, "aria-invalid": fault ? true : undefined })}
      {fault ? (
        <span className="fault" id={about} role="alert">
          {fault}
        </span>
      ) : (
        hint && (
          <span className="hint" id={about}>
            {hint}
          </span>
        )
      )}
    </div>
  );
}

type Tone = "plain" | "accent" | "red" | "yellow" | "green" | "blue";

export function Chip({ tone = "plain", title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={`chip ${tone}`} title={title}>
      {children}
    </span>
  );
}

export function Spinner({ label = "Loading" }: { label?: string }) {
  return (
    <span role="status">
      <span className="spinner" aria-hidden="true" />
      <span className="unseen">{label}</span>
    </span>
  );
}

/** Nothing is here yet, and the one thing that changes that. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Something went wrong here; `again` tries it once more. */
export function FaultBox({ text, again }: { text: string; again?: () => void }) {
  return (
    <div className="fault-box" role="alert">
      <span className="grow">{text}</span>
      {again && <Button onClick={again}>Try again</Button>}
    </div>
  );
}

export function Avatar({ name, agent }: { name: string; agent?: boolean }) {
  return (
    <span className={`avatar ${agent ? "agent" : ""}`} aria-hidden="true" data-hue={hue(name)}>
      {[...name.trim()][0]?.toUpperCase() ?? "?"}
    </span>
  );
}

/** One of eight tints, the same for a name each time. */
function hue(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % 8;
}
