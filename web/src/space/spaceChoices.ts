/** What can be done with a whole space, for its menu and the palette. */
import type { Choice } from "../ui/overlay";
import { say } from "../ui/toasts";
import { setBand, useBandOn } from "./band";
import { useOpened } from "./context";
import type { Sheet } from "./Sheets";
import { useTalking } from "./talking";

export function useSpaceChoices(open: (sheet: Sheet) => void): Choice[] {
  const { acts, agent, room } = useTalking();
  const { state } = useOpened();
  const band = useBandOn();
  const said = state.nodes.length > 0 && room.fixed === null;
  const asks: Choice[] = agent
    ? [
        { label: "Sum up", disabled: !said, hint: "checkpoint", act: () => void acts.summarize(0) },
        { label: "Sum up all but the last 4 messages", disabled: !said, act: () => void acts.summarize(4) },
        { label: "Ask for a title", disabled: !said, act: () => void acts.title() },
        { label: "Let the agent go on", disabled: !said, act: () => state.head && void acts.goOn(state.head) },
      ]
    : [];
  return [
    { label: "People and agents…", act: () => open("members") },
    { label: "Invite somebody…", act: () => open("invite") },
    ...asks,
    {
      label: "Show what is outside the window",
      pressed: band,
      act: () => {
        setBand(!band);
        say(!band ? "What the next request leaves out is dimmed." : "Nothing is dimmed.");
      },
    },
    { label: "Settings of this space…", act: () => open("settings") },
    { label: "Export…", act: () => open("export") },
    { label: "Leave…", act: () => open("leave") },
  ];
}
