/** The lines between messages: days, what is new, where the window begins, where something was left behind. */
import { compact, count, day, number } from "../ui/numbers";
import type { Line, Row } from "./rows";
import { useTalking } from "./talking";

export function Rule({ row }: { row: Exclude<Row, { kind: "said" | "unsent" }> }) {
  switch (row.kind) {
    case "day":
      return <Ruled label={day(row.at)} look="day" />;
    case "new":
      return <New amount={row.count} of={row.of} />;
    case "edge":
      return <Ruled label="✂ nothing before this is sent" look="edge" />;
    case "window":
      return <Ruled label={`window starts here · ${count(row.left, "message")} above not sent`} look="window" />;
    case "spent":
      return <Spent line={row.line} />;
  }
}

function New({ amount, of }: { amount: number; of: string }) {
  const { me, nameOf } = useTalking();
  const whom = of === me ? "" : ` for ${nameOf(of)}`;
  return <Ruled label={`New${whom} (${amount})`} look="new" says={`${count(amount, "new message")}${whom} below`} />;
}

function Ruled({ label, look, says }: { label: string; look: string; says?: string }) {
  return (
    <div className={`rule ${look}`} role="separator" aria-label={says ?? label}>
      <span>{label}</span>
    </div>
  );
}

const WHY: Record<string, string> = { edit: "Message edited", retry: "Asked again" };

export function Spent({ line }: { line: Line }) {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = line.soFar;
  const why = line.words || WHY[line.reason] || "Left behind";
  const left = line.left ? ` · ${count(line.left, "message")} left the path` : "";
  const full = `${why}${left}. So far: ${number(input)} tokens read afresh, ${number(output)} written, ${number(cacheRead)} from the cache, ${number(cacheWrite)} into it.`;
  return (
    <div className="rule spent" role="separator" aria-label={full} title={full}>
      <span>
        💰 {why}
        {left} · so far ↑{compact(input)} ↓{compact(output)} ⚡{compact(cacheRead)} ✎{compact(cacheWrite)}
      </span>
    </div>
  );
}
