/** What a run did, step by step. */
import { Link } from "@tanstack/react-router";
import { useEntityName } from "../agents/names";
import type { Schemas } from "../api/client";
import { Chip } from "../ui/controls";
import { money } from "../ui/numbers";

type Tale = Schemas["RunTale"];
type Step = Schemas["RunStep"];

const DID: Record<string, string> = {
  thought: "The model answered",
  answered: "The tool answered",
  decided: "Somebody decided about a call",
  sent: "A message was sent",
  begun: "Begun, and not ended yet",
  unknown: "It cannot be known how this ended",
  gone: "What it was is not kept any more",
};

export function Steps({ tale }: { tale: Tale }) {
  if (tale.steps.length === 0) return null;
  return (
    <section aria-label="What it did">
      <h2>What it did</h2>
      <ol>
        {tale.steps.map((step) => (
          <StepCard key={step.step} step={step} space={tale.run.space ?? null} />
        ))}
      </ol>
    </section>
  );
}

function StepCard({ step, space }: { step: Step; space: string | null }) {
  const nameOf = useEntityName();
  return (
    <li className="card">
      <div className="row small">
        <Chip>{step.step}</Chip>
        <span className="grow wraps">
          {DID[step.did] ?? step.did}
          {step.tool && (
            <>
              : <code>{step.tool}</code>
            </>
          )}
          {step.model && <span className="soft"> · {step.model}</span>}
        </span>
        {step.isError && <Chip tone="red">failed</Chip>}
        {step.did === "decided" && (
          <Chip tone={step.allowed ? "green" : "red"}>
            {step.allowed ? "allowed" : "refused"}
            {step.by ? ` by ${nameOf(step.by)}` : ", nobody decided in time"}
          </Chip>
        )}
        {step.costUsd > 0 && <span className="soft">{money(step.costUsd)}</span>}
      </div>
      {step.text && <div className="run-said">{step.text}</div>}
      {(step.calls ?? []).map((call) => (
        <details key={call.id} open={(step.calls ?? []).length === 1}>
          <summary>
            calls <code>{call.name}</code>
          </summary>
          {call.args === undefined || call.args === null ? (
            <p className="soft small">Its arguments are not yours to read.</p>
          ) : (
            <pre className="run-args">{JSON.stringify(call.args, null, 2)}</pre>
          )}
        </details>
      ))}
      {step.message && space && (
        <Link className="small" to="/s/$space" params={{ space }} search={{ node: step.message }}>
          Go to the message
        </Link>
      )}
    </li>
  );
}
