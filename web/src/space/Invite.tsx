/** A link that lets one person into this space, once. */
import { useState } from "react";
import { api, done, type Schemas } from "../api/client";
import { Button, Field } from "../ui/controls";
import { atFull } from "../ui/numbers";
import { Dialog } from "../ui/overlay";
import { attempt } from "../ui/toasts";
import { copy } from "./choices";
import { useTalking } from "./talking";

const HOURS = [
  { hours: 24, says: "a day" },
  { hours: 168, says: "a week" },
  { hours: 720, says: "30 days" },
];

export function Invite({ close }: { close: () => void }) {
  const { room } = useTalking();
  const [name, setName] = useState("");
  const [hours, setHours] = useState(168);
  const [made, setMade] = useState<Schemas["ShownPass"] | null>(null);
  const make = async () => {
    const body = { space: room.id, name: name.trim(), expiresInHours: hours };
    const pass = await attempt(() => done(api.POST("/api/invitations", { body })));
    if (pass) setMade(pass);
  };
  const link = made?.secret ? new URL(made.secret, location.origin).href : "";
  if (made) {
    return (
      <Dialog
        title="The invitation"
        close={close}
        footer={
          <Button look="main" onClick={() => void copy(link, "The link is copied.")}>
            Copy the link
          </Button>
        }
      >
        <p>
          Send this link to {made.name || "the one you invite"}. It lets one person in, once
          {made.expiresAt ? `, until ${atFull(made.expiresAt)}` : ""}. It is shown only now.
        </p>
        <input
          className="input"
          readOnly
          aria-label="The link"
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Invite somebody"
      close={close}
      submit={() => void make()}
      footer={
        <Button look="main" type="submit">
          Make a link
        </Button>
      }
    >
      <p className="soft">
        Whoever opens the link first belongs to this space from then on, and reads all that was said.
      </p>
      <Field label="For whom" hint="A note to yourself.">
        {(props) => (
          <input
            {...props}
            className="input"
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Good for">
        {(props) => (
          <select {...props} className="input" value={hours} onChange={(event) => setHours(Number(event.target.value))}>
            {HOURS.map((one) => (
              <option key={one.hours} value={one.hours}>
                {one.says}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Dialog>
  );
}
