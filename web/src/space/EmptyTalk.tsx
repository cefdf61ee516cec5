/** Nothing was said yet: what one can do here. */
import { useState } from "react";
import { Button, Empty } from "../ui/controls";
import { focusComposer } from "./choices";
import { writeDraft } from "./draft";
import { type Sheet, Sheets } from "./Sheets";
import { useTalking } from "./talking";

const TRIES = [
  "What can you do?",
  "Explain how a conversation can branch, in three sentences.",
  "!say The offline model does what lines like this one say.",
];

export function EmptyTalk() {
  const { chat } = useTalking();
  return <div className="list-frame empty-talk">{chat ? <NewChat /> : <NewTeam />}</div>;
}

function NewChat() {
  const { room, agent } = useTalking();
  return (
    <Empty
      title={`A chat with ${agent?.name ?? "an agent"}`}
      action={
        <div className="row wraps tries">
          {TRIES.map((text) => (
            <Button
              key={text}
              onClick={() => {
                writeDraft(room.id, text);
                focusComposer();
              }}
            >
              {text}
            </Button>
          ))}
        </div>
      }
    >
      Say something below. Everything can be edited, asked again and branched, and nothing is lost by it; ◫ shows what
      the model is sent, and why.
    </Empty>
  );
}

function NewTeam() {
  const { members, me } = useTalking();
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const agents = members.filter((one) => one.type === "agent");
  const alone = members.every((one) => one.id === me);
  return (
    <>
      <Empty
        title={alone ? "You are alone here" : "Nothing was said yet"}
        action={
          <div className="row wraps tries">
            <Button look="main" onClick={() => setSheet("invite")}>
              Invite somebody
            </Button>
            <Button onClick={() => setSheet("members")}>Add people and agents</Button>
          </div>
        }
      >
        {agents.length > 0
          ? `Say something below. ${agents.map((one) => one.name).join(", ")} ${agents.length === 1 ? "wakes" : "wake"} when named behind an @.`
          : "An agent that belongs to a space wakes when somebody writes its name behind an @."}
      </Empty>
      {sheet && <Sheets sheet={sheet} close={() => setSheet(null)} />}
    </>
  );
}
