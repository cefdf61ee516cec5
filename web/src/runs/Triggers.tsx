/** What woke a run, in the order it came. */
import { Link } from "@tanstack/react-router";
import { useEntityName } from "../agents/names";
import type { Schemas } from "../api/client";
import { Sign } from "../shell/Sign";
import { Chip } from "../ui/controls";
import { atFull, when } from "../ui/numbers";

type Tale = Schemas["RunTale"];

const HOW: Record<string, string> = { started: "began it", joined: "joined it", resumed: "let it go on" };

export function Triggers({ tale }: { tale: Tale }) {
  const nameOf = useEntityName();
  if (tale.triggers.length === 0) return null;
  return (
    <section aria-label="What woke it">
      <h2>What woke it</h2>
      <ol>
        {tale.triggers.map((trigger, at) => (
          <li key={at} className="card">
            <div className="row small">
              <Sign name={trigger.kind === "message" ? "space" : trigger.kind === "plan" ? "plans" : "import"} />
              <span className="grow wraps">
                {trigger.kind === "message" && <>a message of {trigger.author ? nameOf(trigger.author) : "somebody"}</>}
                {trigger.kind === "plan" && <>the plan {trigger.name ?? "that is not yours to see"}</>}
                {trigger.kind === "delivery" && <>a delivery of {trigger.name ?? "a service"}</>}{" "}
                <span className="soft">{HOW[trigger.how] ?? trigger.how}</span>
              </span>
              {trigger.expectsReply && <Chip tone="yellow">its sender waits for a reply</Chip>}
              {trigger.at && (
                <time className="soft" dateTime={trigger.at} title={atFull(trigger.at)}>
                  {when(trigger.at)}
                </time>
              )}
            </div>
            {trigger.words && <div className="run-said">{trigger.words}</div>}
            {trigger.message && tale.run.space && (
              <Link
                className="small"
                to="/s/$space"
                params={{ space: tale.run.space }}
                search={{ node: trigger.message }}
              >
                Go to it
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
