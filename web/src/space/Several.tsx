/** How many replies, before several are asked for: each costs as much as one. */
import { useState } from "react";
import { keep, kept } from "../shell/kept";
import { Button, Field } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { useCursor } from "./cursor";
import { useTalking } from "./talking";

const MOST = 10;

export function Several() {
  const { cursor } = useTalking();
  const node = useCursor(cursor, (state) => state.asking);
  return node ? <Ask node={node} /> : null;
}

function Ask({ node }: { node: string }) {
  const { acts, cursor, agent } = useTalking();
  const [amount, setAmount] = useState(Number(kept("several")) || 3);
  const close = () => cursor.set({ asking: null });
  const ask = () => {
    const wanted = Math.min(MOST, Math.max(1, Math.round(amount)));
    keep("several", String(wanted));
    close();
    void acts.generate(node, wanted);
  };
  return (
    <Dialog
      title="Several replies"
      close={close}
      submit={ask}
      footer={
        <Button look="main" type="submit">
          Ask
        </Button>
      }
    >
      <Field
        label={`How many replies of ${agent?.name ?? "the agent"}`}
        hint="From 1 to 10, side by side; ‹ › walks between them."
      >
        {(props) => (
          <input
            {...props}
            className="input"
            type="number"
            min={1}
            max={MOST}
            value={amount}
            onChange={(event) => setAmount(Number(event.target.value))}
          />
        )}
      </Field>
    </Dialog>
  );
}
