/** Who there is, and links that let others in. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PEOPLE, usePeople } from "../agents/names";
import { api, done, type Schemas, told } from "../api/client";
import { isOwner, useMe } from "../shell/me";
import { Avatar, Button, Chip, FaultBox, Spinner } from "../ui/controls";
import { when } from "../ui/numbers";
import { attempt, say } from "../ui/toasts";
import { Secret } from "./Copy";
import { Invitations } from "./Invitations";
import { Sure } from "./Sure";

type Neighbour = Schemas["Neighbour"];

export function People() {
  const { data, error, refetch } = usePeople();
  return (
    <>
      <section aria-label="People">
        {error && <FaultBox text={told(error)} again={() => void refetch()} />}
        {!data && !error && <Spinner label="Loading people" />}
        <ul className="things">
          {(data ?? []).map((one) => (
            <One key={one.person.id} one={one} />
          ))}
        </ul>
      </section>
      <Invitations />
    </>
  );
}

function One({ one }: { one: Neighbour }) {
  const me = useMe();
  const queries = useQueryClient();
  const [sure, setSure] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const { person, account } = one;
  const closed = Boolean(account?.closedAt);
  const close = () =>
    attempt(async () => {
      await done(api.DELETE("/api/people/{entity}", { params: { path: { entity: person.id } } }));
      await queries.invalidateQueries({ queryKey: PEOPLE });
      say(`The account of ${person.name} is closed.`);
    });
  const letBack = () =>
    attempt(async () => {
      const body = { entity: person.id, name: `for ${person.name}`, owner: account?.role === "owner" };
      const { secret } = await done(api.POST("/api/invitations", { body }));
      setLink(secret ?? null);
      void queries.invalidateQueries({ queryKey: ["invitations"] });
    });
  return (
    <li className="card thing">
      <Avatar name={person.name} />
      <div className="grow">
        <div className="row wrap">
          <strong className="cut">{person.name}</strong>
          {person.id === me.me.id && <Chip tone="accent">you</Chip>}
          {account && <Chip>{account.role}</Chip>}
          {closed && <Chip tone="red">closed</Chip>}
        </div>
        {account && (
          <div className="soft small">
            {account.createdAt && `since ${when(account.createdAt)}`}
            {account.lastSeen && `, last here ${when(account.lastSeen)}`}
          </div>
        )}
        {isOwner(me) && !account && <div className="soft small">has no account here</div>}
      </div>
      {isOwner(me) && person.id !== me.me.id && !closed && (
        <span className="row wrap">
          <Button onClick={() => void letBack()}>{account ? "Link to sign in again" : "Link to sign in"}</Button>
          {account && (
            <Button look="danger" onClick={() => setSure(true)}>
              Close account
            </Button>
          )}
        </span>
      )}
      {sure && (
        <Sure
          title={`Close the account of ${person.name}?`}
          act="Close it"
          go={() => void close()}
          close={() => setSure(false)}
        >
          Their sessions, tokens and invitations open nothing any more. What they said stays.
        </Sure>
      )}
      {link && (
        <Secret title={`A link for ${person.name}`} secret={link} close={() => setLink(null)}>
          <p className="soft small">Whoever opens it is {person.name} here. It is good once.</p>
        </Secret>
      )}
    </li>
  );
}
