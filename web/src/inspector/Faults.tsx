/** Why there is no request to look at, and what to do about it. */
import { useQueryClient } from "@tanstack/react-query";
import { api, done, Problem, told } from "../api/client";
import { useLook } from "../space/context";
import { Button, Empty, FaultBox } from "../ui/controls";
import { number } from "../ui/numbers";
import { attempt, say } from "../ui/toasts";
import { useAround } from "./around";
import { type Misfit, misfit } from "./misfit";
import { NodeName } from "./NodeName";

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

export function Fault({ fault, again }: { fault: unknown; again: () => void }) {
  if (!(fault instanceof Problem)) return <FaultBox text={told(fault)} again={again} />;
  if (fault.status === 403) {
    return (
      <Empty title="This is not shown to you">
        {sentence(fault.detail)} Ask an owner of this server, or whoever manages the agent.
      </Empty>
    );
  }
  if (fault.status === 404)
    return <Empty title="There is no such request">It was never sent, or it is not kept.</Empty>;
  const found = fault.code === "does_not_fit" ? misfit(fault.detail) : null;
  if (found) return <MisfitBox found={found} />;
  if (fault.detail.startsWith("nothing to send")) {
    return <Empty title="Nothing would be sent yet">Say something here, then look again.</Empty>;
  }
  return <FaultBox text={sentence(fault.detail)} again={again} />;
}

const CAUSES: Record<Misfit["kind"], string> = {
  overLimit: "This strategy removes nothing, so nothing is sent until it fits.",
  doesNotFit: "What must be sent does not fit, whatever else is left out.",
  systemTooLarge: "System text and tools alone leave no room for a message.",
};

const PLACES: Record<string, string> = { system: "System text", tools: "Tools", input: "New input" };

export function MisfitBox({ found }: { found: Misfit }) {
  const { space } = useAround();
  const [search, look] = useLook();
  return (
    <section className="misfit" role="alert">
      <h3>
        <span aria-hidden="true">▲ </span>
        {number(found.excess)} tokens too many
      </h3>
      <p>{CAUSES[found.kind]}</p>
      {found.largest.length > 0 && (
        <>
          <p className="soft small">What is largest:</p>
          <ul>
            {found.largest.map(({ what, tokens }) => (
              <li key={what} className="row">
                <span className="grow cut">{PLACES[what] ?? <NodeName node={what} />}</span>
                <span className="figure">{number(tokens)}</span>
                {space && !PLACES[what] && <LeaveOut space={space} node={what} tokens={tokens} />}
              </li>
            ))}
          </ul>
        </>
      )}
      {search.inspect && search.inspect !== "try" && (
        <Button onClick={() => look({ inspect: "try", with: undefined })}>Try other settings</Button>
      )}
    </section>
  );
}

/** Leaves a message out of all requests to come. */
function LeaveOut({ space, node, tokens }: { space: string; node: string; tokens: number }) {
  const queries = useQueryClient();
  const set = (excluded: boolean) =>
    attempt(async () => {
      await done(
        api.PATCH("/api/spaces/{space}/nodes/{node}", { params: { path: { space, node } }, body: { excluded } }),
      );
      await queries.invalidateQueries({ queryKey: ["next", space] });
      if (excluded) say(`Left out: ${number(tokens)} tokens less.`, { label: "Undo", go: () => void set(false) });
    });
  return <Button onClick={() => void set(true)}>Leave out</Button>;
}
