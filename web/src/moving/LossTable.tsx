/** What became of everything in a file, by reason; every field of it below. */
import { Chip } from "../ui/controls";
import { count } from "../ui/numbers";
import { type Loss, type Reason, reasons } from "./words";

const OUTCOMES = {
  dropped: { tone: "red", words: "left out" },
  mapped: { tone: "yellow", words: "as something else" },
  kept: { tone: "green", words: "kept" },
} as const;

export function LossTable({ loss }: { loss: Loss[] }) {
  if (loss.length === 0) return null;
  return (
    <details>
      <summary className="small">What becomes of everything in it</summary>
      <ul className="reasons">
        {reasons(loss).map((reason) => (
          <OneReason key={`${reason.outcome} ${reason.note}`} reason={reason} />
        ))}
      </ul>
    </details>
  );
}

function OneReason({ reason }: { reason: Reason }) {
  const { tone, words } = OUTCOMES[reason.outcome];
  return (
    <li>
      <details>
        <summary>
          <Chip tone={tone}>{words}</Chip> {reason.note || "as it was"}{" "}
          <span className="soft small">
            {count(reason.lines.length, "kind")}, {count(reason.count, "time")}
          </span>
        </summary>
        <ul className="small">
          {reason.lines.map((line) => (
            <li key={line.what}>
              <code className="wraps">{line.what}</code>{" "}
              <span className="soft wraps">
                {count(line.count, "time")}, first at {line.first}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
