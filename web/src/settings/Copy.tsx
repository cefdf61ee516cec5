/** A text with a button that copies it, and the dialog for secrets that are shown once. */
import { useRef, useState } from "react";
import { Button } from "../ui/controls";
import { Dialog } from "../ui/overlay";

export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without encryption there is no clipboard: it is selected, and the old way may still do.
      document.execCommand("copy");
    }
    setCopied(true);
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
        <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
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
