/** Why there is no request to look at, and what to do about it. */
import { useQueryClient } from "@tanstack/react-query";
import { api, done, type Misfit, Problem, told } from "../api/client";
import { useLook } from "../space/context";
import { Button, Empty, FaultBox } from "../ui/controls";
import { number } from "../ui/numbers";
import { attempt, say } from "../ui/toasts";
import { useAround } from "./around";
import { excess, trial, ways } from "./misfit";
import { NodeName } from "./NodeName";
import { setTried, useTried } from "./tried";

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
  if (fault.misfit) return <MisfitBox found={fault.misfit} />;
  if (fault.detail.startsWith("nothing to send")) {
    return <Empty title="Nothing would be sent yet">Say something here, then look again.</Empty>;
  }
  return <FaultBox text={sentence(fault.detail)} again={again} />;
}

const PLACES: Record<string, string> = { system: "System text", tools: "Tools", input: "New input" };

function MisfitBox({ found }: { found: Misfit }) {
  const { space } = useAround();
  const [search, look] = useLook();
  const { cause, out } = ways(found);
  return (
    <section className="misfit" role="alert">
      <h3>
        <span aria-hidden="true">▲ </span>
        {excess(found)}
      </h3>
      <p>
        {cause} <strong>{number(found.needed)}</strong> are needed and <strong>{number(found.limit)}</strong> may be
        sent.
      </p>
      <p>{out}</p>
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
      <div className="row wraps">
        {space && <Trial space={space} found={found} />}
        {search.inspect && search.inspect !== "try" && (
          <Button onClick={() => look({ inspect: "try", with: undefined })}>Try other settings</Button>
        )}
      </div>
    </section>
  );
}

/** Lays what would make room over what is tried. */
function Trial({ space, found }: { space: string; found: Misfit }) {
  const [, look] = useLook();
  const tried = useTried(space);
  const way = trial(found, tried.settings);
  if (!way) return null;
  const go = () => {
    setTried(space, { ...tried, settings: { ...tried.settings, ...way.settings } });
    look({ inspect: "try", with: undefined });
  };
  return <Button onClick={go}>{way.words}</Button>;
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
