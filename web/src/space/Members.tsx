/** Who is here, in the head: a sign and a name each, as many as fit. */
import { when } from "../ui/numbers";
import { useOpened } from "./context";
import { signOf, standing, telling } from "./presence";
import { useTalking } from "./talking";

/** How somebody is doing, in a sign and in words; people have no sign. */
export function usePresence(): (entity: string) => { sign: string; words: string } | null {
  const { state } = useOpened();
  const { kindOf } = useTalking();
  const writer = state.nodes.findLast((one) => one.node.status === "pending")?.node.author;
  return (entity) => {
    if (kindOf(entity) !== "agent") return null;
    if (entity === writer) return { sign: "◐", words: "is writing" };
    const run = telling(state.runs, entity);
    if (!run) return { sign: "○", words: "is idle" };
    const since = run.waitsSince ? ` since ${when(run.waitsSince)}` : "";
    return { sign: signOf(run), words: `${standing(run)}${since}` };
  };
}

const FEW = 5;

export function Members({ open }: { open: () => void }) {
  const { members, me } = useTalking();
  const presence = usePresence();
  const others = members.filter((one) => one.id !== me);
  const shown = others.slice(0, FEW);
  return (
    <button type="button" className="members" onClick={open} title="People and agents">
      <span className="unseen">People and agents: </span>
      {shown.map((one) => {
        const how = presence(one.id);
        return (
          <span key={one.id} className="member" title={`${one.name}${how ? ` ${how.words}` : ""}`}>
            {how && <span aria-hidden="true">{how.sign}</span>}
            <span className="cut">{one.name}</span>
            {how && <span className="unseen">{how.words}</span>}
          </span>
        );
      })}
      {others.length > FEW && <span className="soft">+{others.length - FEW}</span>}
      {others.length === 0 && <span className="soft">Only you</span>}
      <span className="narrow-only">{members.length} 👥</span>
    </button>
  );
}
