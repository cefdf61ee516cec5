/** A text with a button that copies it, and the dialog for secrets that are shown once. */
import { useRef, useState } from "react";
import { Button } from "../ui/controls";
import { copied } from "../ui/hand";
import { Dialog } from "../ui/overlay";

export function Copy({ text, label }: { text: string; label: string }) {
  const [isDone, setDone] = useState<boolean | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    const done = await copied(text);
    setDone(done);
    // It is selected then, for the keys that copy.
    if (!done) field.current?.focus();
  };
  return (
    <div className="row copy">
      <input
        ref={field}
        className="input mono"
        aria-label={label}
        readOnly
        value={text}
        onFocus={(e) => e.target.select()}
      />
      <Button onClick={() => void copy()}>
        <span aria-live="polite">{isDone === null ? "Copy" : isDone ? "Copied" : "Copy the marked text yourself"}</span>
      </Button>
    </div>
  );
}

/** A secret, once. */
export function Secret({
  title,
  secret,
  children,
  close,
}: {
  title: string;
  secret: string;
  children?: React.ReactNode;
  close: () => void;
}) {
  return (
    <Dialog
      title={title}
      close={close}
      footer={
        <Button look="main" onClick={close}>
          I have it
        </Button>
      }
    >
      <p>This is shown once. Nobody can read it again, not even the server.</p>
      <Copy text={secret} label={title} />
      {children}
    </Dialog>
  );
}
