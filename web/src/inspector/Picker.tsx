/** What is inspected, and what it is compared with. */
import { useState } from "react";
import type { CallRecord, Person } from "../api/types";
import { useLook } from "../space/context";
import { Icon } from "../ui/controls";
import { useAround } from "./around";
import { CallsDialog } from "./CallsDialog";
import { type Subject, written } from "./subject";
import { moment, PURPOSES } from "./words";

interface PickerProps {
  space: string;
  subject: Subject;
  other: Subject | null;
  agents: Person[];
  calls: CallRecord[];
}

/** So many stand in the list itself. */
const LISTED = 30;
const MORE = "more";

export function Picker({ space, subject, other, agents, calls }: PickerProps) {
  const [, look] = useLook();
  const [choosing, setChoosing] = useState<"call" | "with" | null>(null);
  const as = subject.kind === "call" ? null : subject.as;
  const others = agents.filter((agent) => agent.id !== as);
  const pick = (value: string) => {
    if (value === MORE) setChoosing("call");
    else look({ call: value === "next" ? undefined : value });
  };
  const compare = (value: string) => {
    if (value === MORE) setChoosing("with");
    else look({ with: value || undefined });
  };
  return (
    <div className="picker">
      <select
        className="input"
        aria-label="What is inspected"
        value={subject.kind === "call" ? subject.call : "next"}
        onChange={(event) => pick(event.target.value)}
      >
        <option value="next">Next request</option>
        <CallOptions calls={calls} chosen={subject.kind === "call" ? subject.call : null} />
      </select>
      {subject.kind !== "call" && agents.length > 1 && (
        <select
          className="input"
          aria-label="Through whose eyes"
          value={as ?? ""}
          onChange={(event) => look({ as: event.target.value })}
        >
          {agents.map((agent) => (
            <option key={agent.id} value={agent.id}>
              as {agent.name}
            </option>
          ))}
        </select>
      )}
      <select
        className="input"
        aria-label="Compare with"
        value={other ? written(other) : ""}
        onChange={(event) => compare(event.target.value)}
      >
        <option value="">Compare with…</option>
        {subject.kind === "call" && agents.length < 2 && <option value="next">Next request</option>}
        {agents.length > 1 &&
          others.map((agent) => (
            <option key={agent.id} value={`next:${agent.id}`}>
              Next request as {agent.name}
            </option>
          ))}
        <option value="try">What is tried</option>
        <CallOptions
          calls={subject.kind === "call" ? calls.filter((call) => call.id !== subject.call) : calls}
          chosen={other?.kind === "call" ? other.call : null}
        />
      </select>
      {other && (
        <>
          <Icon label="Swap the two" onClick={() => look(swapped(subject, other))}>
            ⇄
          </Icon>
          <Icon label="Stop comparing" onClick={() => look({ with: undefined })}>
            ✕
          </Icon>
        </>
      )}
      {choosing && (
        <CallsDialog
          space={space}
          choose={(call) => look(choosing === "call" ? { call } : { with: call })}
          close={() => setChoosing(null)}
        />
      )}
    </div>
  );
}

/** Newest first; the chosen one is there even if it is old. */
function CallOptions({ calls, chosen }: { calls: CallRecord[]; chosen: string | null }) {
  const { name } = useAround();
  const listed = calls.slice(0, LISTED);
  const words = (call: CallRecord) =>
    [call.at && moment(call.at), call.agent && name(call.agent), PURPOSES[call.purpose], call.model?.split("/").at(-1)]
      .filter(Boolean)
      .join(" · ");
  return (
    <optgroup label="Sent calls">
      {chosen && !listed.some((call) => call.id === chosen) && <option value={chosen}>Call {chosen.slice(-8)}</option>}
      {listed.map((call) => (
        <option key={call.id} value={call.id}>
          {words(call)}
        </option>
      ))}
      <option value={MORE}>All calls…</option>
    </optgroup>
  );
}

/** What is tried is never the first of two: it stands beside what is. */
function swapped(subject: Subject, other: Subject) {
  if (other.kind === "try") return {};
  return {
    call: other.kind === "call" ? other.call : undefined,
    as: other.kind === "next" ? (other.as ?? undefined) : undefined,
    with: written(subject),
  };
}
