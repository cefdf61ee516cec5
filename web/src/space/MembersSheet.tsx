/** Who belongs to a space; whom one can let in or take out. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, done } from "../api/client";
import { Avatar, Button } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { attempt, say } from "../ui/toasts";
import { usePresence } from "./Members";
import { useTalking } from "./talking";

export function MembersSheet({ close }: { close: () => void }) {
  const { room, members, me } = useTalking();
  const presence = usePresence();
  const [wanted, setWanted] = useState("");
  const people = useQuery({ queryKey: ["people"], queryFn: () => done(api.GET("/api/people")) });
  const agents = useQuery({ queryKey: ["agents"], queryFn: () => done(api.GET("/api/agents")) });
  const here = new Set(members.map((one) => one.id));
  const others = [
    ...(agents.data ?? []).map((one) => ({ id: one.id, name: `${one.name} (agent)` })),
    ...(people.data ?? []).map(({ person }) => ({ id: person.id, name: person.name })),
  ].filter((one) => !here.has(one.id));

  const put = (entity: string) =>
    done(api.PUT("/api/spaces/{space}/members/{entity}", { params: { path: { space: room.id, entity } } }));
  const take = (entity: string) =>
    done(api.DELETE("/api/spaces/{space}/members/{entity}", { params: { path: { space: room.id, entity } } }));
  const add = () =>
    void attempt(async () => {
      if (!wanted) return;
      await put(wanted);
      setWanted("");
      await room.meet();
    });
  const remove = (entity: string, name: string) =>
    void attempt(async () => {
      await take(entity);
      await room.meet();
      say(`${name} belongs to this space no more. What they said stays.`, {
        label: "Undo",
        go: () => void attempt(() => put(entity).then(() => room.meet())),
      });
    });
  return (
    <Dialog title="People and agents" close={close}>
      <ul className="member-list">
        {members.map((one) => {
          const how = presence(one.id);
          return (
            <li key={one.id}>
              <Avatar name={one.name} agent={one.type === "agent"} />
              <span className="grow">
                {one.type === "agent" ? (
                  <Link to="/agents/$agent" params={{ agent: one.id }} onClick={close}>
                    {one.name}
                  </Link>
                ) : (
                  <strong>{one.name}</strong>
                )}{" "}
                {one.id === me && <span className="soft small">you</span>}
                <div className="soft small">
                  {how ? `${how.sign} ${how.words}` : one.type}
                  {one.model ? ` · ${one.model}` : ""}
                  {one.external ? " · runs elsewhere" : ""}
                </div>
              </span>
              {one.id !== me && (
                <Button className="small" onClick={() => remove(one.id, one.name)}>
                  Take out
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <select
          className="input grow"
          aria-label="Whom to let in"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        >
          <option value="">Somebody you know, or an agent…</option>
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
        <Button type="submit" look="main" disabled={!wanted}>
          Let in
        </Button>
      </form>
      {agents.data && others.length === 0 && (
        <p className="soft small">
          Everybody you know is here. Invite somebody by a link, or <Link to="/agents">make an agent</Link>.
        </p>
      )}
    </Dialog>
  );
}
