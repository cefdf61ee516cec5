/** A link for one person: into the space they are invited from, or into whichever is chosen. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, asProblem, done, newKey, type Problem, type Schemas, told } from "../api/client";
import { onceKey } from "../api/once";
import { useHouse } from "../live/house";
import { isOwner, useMe } from "../shell/me";
import { Button, Field } from "../ui/controls";
import { atFull } from "../ui/numbers";
import { Dialog } from "../ui/overlay";
import { Secret } from "./Copy";

const LONG = [
  { hours: 24, name: "A day" },
  { hours: 168, name: "A week" },
  { hours: 720, name: "A month" },
];

export function NewInvitation({ into, close }: { into?: string; close: () => void }) {
  const owner = isOwner(useMe());
  const { spaces } = useHouse();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [space, setSpace] = useState(into ?? (owner ? "" : (spaces[0]?.id ?? "")));
  const [asOwner, setAsOwner] = useState(false);
  const [hours, setHours] = useState(168);
  const [made, setMade] = useState<Schemas["ShownPass"] | null>(null);
  const [fault, setFault] = useState<Problem | null>(null);
  const [key] = useState(newKey);
  const make = async () => {
    setFault(null);
    try {
      const body = { name: name.trim(), owner: asOwner, expiresInHours: hours, ...(space ? { space } : {}) };
      const header = { "Idempotency-Key": onceKey(key, body) };
      setMade(await done(api.POST("/api/invitations", { params: { header }, body })));
      void queries.invalidateQueries({ queryKey: ["invitations"] });
    } catch (problem) {
      setFault(asProblem(problem));
    }
  };
  if (made?.secret) {
    return (
      <Secret title="The link" secret={made.secret} close={close}>
        <p className="soft small">
          Give it to {made.name || "one person"}. It is good once
          {made.expiresAt ? `, until ${atFull(made.expiresAt)}` : ""}.
        </p>
      </Secret>
    );
  }
  return (
    <Dialog
      title="Invite somebody"
      close={close}
      submit={() => void make()}
      footer={
        <Button look="main" type="submit" disabled={!owner && !space}>
          Make a link
        </Button>
      }
    >
      {space && (
        <p className="soft">
          Whoever opens the link first belongs to the space from then on, and reads all that was said.
        </p>
      )}
      <Field label="For whom" hint="A note to yourself. May be empty.">
        {(props) => (
          <input
            {...props}
            className="input"
            maxLength={150}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {!into && (
        <Field label="Into which space" hint={owner ? undefined : "You invite into spaces of yours."}>
          {(props) => (
            <select {...props} className="input" value={space} onChange={(event) => setSpace(event.target.value)}>
              {owner && <option value="">None: they begin with nothing</option>}
              {spaces.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name || "Unnamed"}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label="Good for">
        {(props) => (
          <select
            {...props}
            className="input short"
            value={hours}
            onChange={(event) => setHours(Number(event.target.value))}
          >
            {LONG.map((one) => (
              <option key={one.hours} value={one.hours}>
                {one.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {owner && !into && (
        <label className="row">
          <input type="checkbox" checked={asOwner} onChange={(event) => setAsOwner(event.target.checked)} />
          They become an owner: they see all agents and accounts, and settings
        </label>
      )}
      {fault && <p role="alert">{told(fault)}</p>}
    </Dialog>
  );
}
