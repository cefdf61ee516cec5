/** What is one's own: the name, the light, keys, calls, and the way out. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, done, Problem, told } from "../api/client";
import { ME, signOut } from "../door/session";
import { calling } from "../shell/calling";
import { type Light, light, setLight } from "../shell/kept";
import { letters } from "../shell/keys";
import { useMe } from "../shell/me";
import { Button, Field } from "../ui/controls";
import { attempt, say } from "../ui/toasts";

export function You() {
  return (
    <>
      <Name />
      <Looks />
      <Leave />
    </>
  );
}

function Name() {
  const me = useMe();
  const queries = useQueryClient();
  const [name, setName] = useState(me.me.name);
  const [fault, setFault] = useState<string | null>(null);
  const save = async () => {
    try {
      const person = await done(api.PATCH("/api/me", { body: { name: name.trim() } }));
      queries.setQueryData(ME, { ...me, me: person });
      void queries.invalidateQueries({ queryKey: ["people"] });
      setFault(null);
      setName(person.name);
      say("Saved.");
    } catch (problem) {
      setFault(problem instanceof Problem ? problem.detail : told(problem));
    }
  };
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="What you are called" hint="Others see this name, and mention you by it." fault={fault}>
        {(props) => (
          <input
            {...props}
            className="input"
            value={name}
            maxLength={64}
            autoComplete="nickname"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button look="main" type="submit" disabled={!name.trim() || name.trim() === me.me.name}>
          Save
        </Button>
      </div>
    </form>
  );
}

const LIGHTS: { id: Light; name: string }[] = [
  { id: "system", name: "As the system" },
  { id: "light", name: "Light" },
  { id: "dark", name: "Dark" },
];

function Looks() {
  const [chosen, setChosen] = useState(light());
  const [keys, setKeys] = useState(letters.on());
  const [calls, setCalls] = useState(calling.on());
  const askToCall = async (on: boolean) => {
    const given = await calling.set(on);
    setCalls(given);
    if (on && !given) say("The browser does not let us call you. Its settings for this page decide.");
  };
  return (
    <section className="card" aria-label="This browser">
      <h2>This browser</h2>
      <fieldset className="row wrap">
        <legend className="unseen">Light or dark</legend>
        {LIGHTS.map((one) => (
          <label key={one.id} className="row">
            <input
              type="radio"
              name="light"
              checked={chosen === one.id}
              onChange={() => {
                setLight(one.id);
                setChosen(one.id);
              }}
            />
            {one.name}
          </label>
        ))}
      </fieldset>
      <label className="row">
        <input
          type="checkbox"
          checked={keys}
          onChange={(event) => {
            letters.set(event.target.checked);
            setKeys(event.target.checked);
          }}
        />
        <span>
          Single letters act outside fields <span className="soft small">(press ? for all keys)</span>
        </span>
      </label>
      <label className="row">
        <input
          type="checkbox"
          checked={calls}
          disabled={!calling.possible()}
          onChange={(event) => void askToCall(event.target.checked)}
        />
        <span>
          Call me when an agent waits for me or something unread comes, while I look elsewhere
          {!calling.possible() && (
            <span className="soft small"> (this browser cannot, or the page is not encrypted)</span>
          )}
          {calling.refused() && <span className="soft small"> (refused in the browser's settings for this page)</span>}
        </span>
      </label>
    </section>
  );
}

function Leave() {
  const me = useMe();
  const queries = useQueryClient();
  return (
    <section className="card" aria-label="Sign out">
      <p className="soft small">
        You are {me.role === "owner" ? "an owner" : "a member"} here. To come back you need a link: an owner makes one,
        or <code>weft token link {me.me.name}</code> on the server.
      </p>
      <div>
        <Button look="danger" onClick={() => void attempt(() => signOut(queries))}>
          Sign out
        </Button>
      </div>
    </section>
  );
}
