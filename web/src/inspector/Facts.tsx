/** What a request is, in a line: model, how it was assembled; of a call when, what for and how it ended. */
import { Link } from "@tanstack/react-router";
import { Chip } from "../ui/controls";
import { atFull, number, when } from "../ui/numbers";
import { useAround } from "./around";
import { NodeName } from "./NodeName";
import type { Seen } from "./seen";
import { DIALECTS, OUTCOMES, PURPOSES, STRATEGIES } from "./words";

export function Facts({ seen }: { seen: Seen }) {
  const { name } = useAround();
  const { call, report, model, dialect } = seen;
  return (
    <div className="facts">
      {call && (
        <>
          {call.at && <Chip title={atFull(call.at)}>{when(call.at)}</Chip>}
          <Chip>{PURPOSES[call.purpose]}</Chip>
          {call.agent && <Chip>{name(call.agent)}</Chip>}
          <Chip tone={call.outcome === "failed" ? "red" : call.outcome === "done" ? "green" : "yellow"}>
            {call.outcome ? OUTCOMES[call.outcome] : "still running"}
          </Chip>
          {call.durationMs !== null && call.durationMs !== undefined && <Chip>{number(call.durationMs)} ms</Chip>}
        </>
      )}
      {model && <Chip title="Model">{model}</Chip>}
      {dialect && <Chip title="Wire format">{DIALECTS[dialect]}</Chip>}
      {report && <Chip title={STRATEGIES[report.strategy].says}>{STRATEGIES[report.strategy].name}</Chip>}
      {call?.run && (
        <Link className="small" to="/runs/$run" params={{ run: call.run }}>
          Its run
        </Link>
      )}
      {call?.node && (
        <span className="row small led-to">
          led to <NodeName node={call.node} />
        </span>
      )}
    </div>
  );
}
