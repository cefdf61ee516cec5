/** What can be done with a message, beside it: shown when it is pointed at or has the focus, and always on touch. */
import { Icon } from "../ui/controls";
import { type Choice, Menu } from "../ui/overlay";
import { useChoices } from "./choices";
import type { SaidRow } from "./rows";
import { useTalking } from "./talking";

export function ActsBar({ row }: { row: SaidRow }) {
  const { said } = row;
  const { turn } = useTalking();
  const { quick, more } = useChoices(row);
  return (
    <div className="acts" role="toolbar" aria-label="Acts on this message">
      {said.siblings > 1 && (
        <span className="versions">
          <Icon label="Version before ([)" disabled={said.place === 1} onClick={() => turn(said, -1)}>
            ‹
          </Icon>
          <span className="small" role="img" aria-label={`version ${said.place} of ${said.siblings}`}>
            {said.place}/{said.siblings}
          </span>
          <Icon label="Version after (])" disabled={said.place === said.siblings} onClick={() => turn(said, 1)}>
            ›
          </Icon>
        </span>
      )}
      <span className="acts-quick">
        {quick.map((choice) => (
          <Quick key={choice.label} choice={choice} />
        ))}
        {more.length > 0 && <Menu label="More acts" button="⋯" choices={more} />}
      </span>
    </div>
  );
}

export interface QuickChoice extends Choice {
  sign: string;
}

function Quick({ choice }: { choice: QuickChoice }) {
  const label = choice.hint ? `${choice.label} (${choice.hint})` : choice.label;
  return (
    <Icon label={label} aria-pressed={choice.pressed} disabled={choice.disabled} onClick={choice.act}>
      {choice.sign}
    </Icon>
  );
}
