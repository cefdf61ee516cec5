/** The head of a space: its name, who is in it and how they are doing, what can be done with it. */
import { useState } from "react";
import { api, done } from "../api/client";
import { useKeys } from "../shell/keys";
import { Icon } from "../ui/controls";
import { Menu } from "../ui/overlay";
import { attempt } from "../ui/toasts";
import { useLook, useOpened } from "./context";
import { Members } from "./Members";
import { type Sheet, Sheets } from "./Sheets";
import { useSpaceChoices } from "./spaceChoices";
import { TalkingProvider, useTalkingValue } from "./talking";

export function Head() {
  const talking = useTalkingValue();
  return (
    <TalkingProvider value={talking}>
      <HeadBar />
      <Looking />
    </TalkingProvider>
  );
}

function HeadBar() {
  const [search, look] = useLook();
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const choices = useSpaceChoices(setSheet);
  useKeys(choices.filter((one) => !one.disabled).map((one) => ({ key: "", says: one.label, act: one.act })));
  return (
    <header className="space-head">
      <Name />
      <Members open={() => setSheet("members")} />
      <span className="grow" />
      <SeeAs />
      <Icon
        label="Map of the whole tree (m)"
        aria-pressed={search.map === true}
        onClick={() => look({ map: search.map ? undefined : true })}
      >
        ⎇
      </Icon>
      <Icon
        label="Inspector: what the model sees (i)"
        aria-pressed={search.inspect !== undefined}
        onClick={() => look({ inspect: search.inspect ? undefined : "window" })}
      >
        ◫
      </Icon>
      <Menu label="More of this space" button="⋯" choices={choices} />
      {sheet && <Sheets sheet={sheet} close={() => setSheet(null)} />}
    </header>
  );
}

/** The name; a click lets one change it in place. */
function Name() {
  const { room, state } = useOpened();
  const name = state.space?.name ?? "";
  const [typed, setTyped] = useState<string | null>(null);
  const save = () => {
    const next = typed?.trim();
    setTyped(null);
    if (next === undefined || next === name) return;
    void attempt(() =>
      done(api.PATCH("/api/spaces/{space}", { params: { path: { space: room.id } }, body: { name: next } })),
    );
  };
  if (typed !== null) {
    return (
      <input
        className="input name-input"
        aria-label="Name of the space"
        // biome-ignore lint/a11y/noAutofocus: it was asked for by a click
        autoFocus
        value={typed}
        maxLength={100}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Enter") save();
          else if (event.key === "Escape") {
            event.stopPropagation();
            setTyped(null);
          }
        }}
      />
    );
  }
  return (
    <h1 className="cut">
      {state.space?.confidential && (
        <span role="img" aria-label="Confidential" title="Its words stay among its members">
          🔒{" "}
        </span>
      )}
      <button type="button" className="name" title="Rename" onClick={() => setTyped(name)}>
        {name || "Unnamed"}
      </button>
    </h1>
  );
}

/** Through whose eyes the inspector looks. */
function SeeAs() {
  const { state } = useOpened();
  const [search, look] = useLook();
  const agents = state.members.filter((one) => one.type === "agent");
  if (agents.length === 0) return null;
  const seen = agents.find((one) => one.id === search.as);
  return (
    <Menu
      label={`${seen ? `As ${seen.name}` : "See as"}: exactly what an agent would be given now`}
      className={`button quiet see-as ${seen ? "on" : ""}`}
      button={
        <>
          <span className="cut">{seen ? `As ${seen.name}` : "See as"}</span> <span aria-hidden="true">▾</span>
        </>
      }
      choices={[
        ...agents.map((one) => ({
          label: one.name,
          pressed: one.id === search.as,
          act: () => look({ as: one.id, inspect: search.inspect ?? "window", call: undefined }),
        })),
        ...(seen ? [{ label: "As myself", act: () => look({ as: undefined }) }] : []),
      ]}
    />
  );
}

/** A path that is only looked at: what that means, and the two ways out of it. */
function Looking() {
  const { acts } = useTalkingValue();
  const [search, look] = useLook();
  if (!search.head || search.beside) return null;
  const head = search.head;
  const go = async () => {
    await acts.go(head, true, "You are on that path now.");
    look({ head: undefined }, "replace");
  };
  return (
    <div className="looking small" role="status">
      <span className="grow">You look at another path; what you say goes on from your own.</span>
      <button type="button" className="button small" onClick={() => void go()}>
        Go here
      </button>
      <button type="button" className="button small" onClick={() => look({ head: undefined, node: undefined })}>
        Back
      </button>
    </div>
  );
}
