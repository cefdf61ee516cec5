/** What a run waits and waited for. */
import { useEntityName } from "../agents/names";
import type { Schemas } from "../api/client";
import { Chip } from "../ui/controls";
import { atFull, span } from "../ui/numbers";
import { Since } from "./Since";

type Tale = Schemas["RunTale"];
type Wait = Schemas["RunWait"];

const STATE = {
  open: { words: "still waits", tone: "yellow" },
  resolved: { words: "it came", tone: "green" },
  expired: { words: "nothing came in time", tone: "red" },
  canceled: { words: "given up", tone: "plain" },
} as const;

function awaited(wait: Wait, nameOf: (id: string) => string): string {
  if (wait.accept === "tool") return "a tool";
  if (wait.accept === "any") return "anyone's word";
  const from = (wait.from ?? []).map(nameOf).join(", ");
  if (wait.accept === "reply") return from ? `a reply of ${from}` : "a reply to its message";
  return from ? `a word of ${from}` : "somebody's word";
}

export function Waits({ tale }: { tale: Tale }) {
  const nameOf = useEntityName();
  if (tale.waits.length === 0) return null;
  return (
    <section aria-label="What it waited for">
      <h2>What it waited for</h2>
      <ol>
        {tale.waits.map((wait, at) => {
          const state = STATE[wait.state as keyof typeof STATE] ?? { words: wait.state, tone: "plain" };
          return (
            <li key={at} className="card">
              <div className="row small">
                <span className="grow wraps">{awaited(wait, nameOf)}</span>
                <Chip tone={state.tone}>{state.words}</Chip>
              </div>
              <div className="small soft">
                {wait.at && <>from {atFull(wait.at)} · </>}
                {wait.at && wait.endedAt && <>{span(Date.parse(wait.endedAt) - Date.parse(wait.at))}</>}
                {wait.at && !wait.endedAt && <Since at={wait.at} />}
                {wait.until && wait.state === "open" && <> · at the longest until {atFull(wait.until)}</>}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
