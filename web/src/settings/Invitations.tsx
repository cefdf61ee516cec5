/** Links that let one person in, once. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useEntityName, useSpaceName } from "../agents/names";
import { api, done, type Schemas, told } from "../api/client";
import { Button, FaultBox } from "../ui/controls";
import { atFull, when } from "../ui/numbers";
import { attempt } from "../ui/toasts";
import { NewInvitation } from "./NewInvitation";

const KEY = ["invitations"];

export function Invitations() {
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: () => done(api.GET("/api/invitations")) });
  const [making, setMaking] = useState(false);
  return (
    <section aria-label="Invitations">
      <header className="row">
        <h2 className="grow">Invitations</h2>
        <Button look="main" onClick={() => setMaking(true)}>
          Invite somebody
        </Button>
      </header>
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {data?.length === 0 && <p className="soft small">No link is open now. Each is good once, and for a while.</p>}
      <ul className="things">
        {(data ?? []).map((one) => (
          <One key={one.id} one={one} />
        ))}
      </ul>
      {making && <NewInvitation close={() => setMaking(false)} />}
    </section>
  );
}

function One({ one }: { one: Schemas["ShownPass"] }) {
  const queries = useQueryClient();
  const placeOf = useSpaceName();
  const nameOf = useEntityName();
  const revoke = () =>
    attempt(async () => {
      await done(api.DELETE("/api/invitations/{id}", { params: { path: { id: one.id } } }));
      await queries.invalidateQueries({ queryKey: KEY });
    });
  return (
    <li className="card thing">
      <div className="grow">
        <strong className="cut">{one.name || "A link"}</strong>
        <div className="soft small">
          {one.entity && `for ${nameOf(one.entity)} · `}
          {one.space && `into ${placeOf(one.space) ?? "a space"} · `}
          {one.createdAt && `made ${when(one.createdAt)}`}
          {one.expiresAt && ` · good until ${atFull(one.expiresAt)}`}
        </div>
      </div>
      <Button onClick={() => void revoke()}>Revoke</Button>
    </li>
  );
}
