/** What was cut, what had to be mended, what a person should know: in words, above the list. */
import type { Report } from "../api/types";
import { count, number } from "../ui/numbers";
import { NodeName } from "./NodeName";
import { REPAIRS, STRATEGIES, WARNINGS } from "./words";

export function Mended({ report }: { report: Report }) {
  const { cut, repairs, warnings, strategy } = report;
  if (!cut && repairs.length === 0 && warnings.length === 0) return null;
  return (
    <ul className="notes">
      {cut && (
        <li className="note cut-out">
          <span aria-hidden="true">✂ </span>
          <b>
            {count(cut.nodes, "message")} cut out, {number(cut.tokens)} tokens
          </b>{" "}
          ({STRATEGIES[strategy].name.toLowerCase()})
          {cut.after && (
            <span className="row small">
              <span>after</span> <NodeName node={cut.after} />
            </span>
          )}
          {cut.before && (
            <span className="row small">
              <span>before</span> <NodeName node={cut.before} />
            </span>
          )}
        </li>
      )}
      {warnings.map((warning) => (
        <li key={`${warning.kind} ${warning.detail}`} className="note warned">
          <span aria-hidden="true">▲ </span>
          <b>{WARNINGS[warning.kind]}.</b> {warning.detail}
        </li>
      ))}
      {repairs.map((repair, at) => (
        <li key={at} className="note">
          <span aria-hidden="true">✚ </span>
          <b>{REPAIRS[repair.kind]}.</b> {repair.detail}{" "}
          <span className="soft small">Only here; nothing stored changes.</span>
          {repair.node && (
            <span className="row small">
              <span>in</span> <NodeName node={repair.node} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
