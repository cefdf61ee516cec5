/** What the next request will be, in one line under the text. */
import { useQuery } from "@tanstack/react-query";
import { api, done } from "../api/client";
import { useOpened } from "../space/context";
import { useTyped } from "../space/draft";
import { useHow } from "../space/how";
import { count, number } from "../ui/numbers";
import { wordCount } from "./blocks";

const STRATEGIES: Record<string, string> = {
  truncateMiddle: "cuts the middle when it is full",
  rollingWindow: "drops the beginning when it is full",
  stopAtLimit: "stops when it is full",
  dropOldest: "drops the oldest when it is full",
  stickyWindow: "drops the beginning when it is full, rarely",
};

export function Status({ agent }: { agent: string | null }) {
  const { room, state } = useOpened();
  const [working] = useTyped(room.id);
  const how = useHow(room.id);
  const last = state.nodes.at(-1)?.node;
  const figures = useQuery({
    queryKey: ["figures", room.id, state.head, last?.status, agent],
    queryFn: () =>
      done(
        api.GET("/api/spaces/{space}/figures", { params: { path: { space: room.id }, query: agent ? { agent } : {} } }),
      ),
    enabled: agent !== null && state.head !== null && last?.status !== "pending",
    placeholderData: (before) => before,
    staleTime: 5_000,
    retry: false,
  });
  const { next, contextLength } = figures.data ?? {};
  const fits = next !== null && next !== undefined;
  const most = how.settings?.contextLength ?? state.space?.settings?.contextLength ?? contextLength;
  const strategy = how.settings?.truncationStrategy ?? state.space?.settings?.truncationStrategy ?? "truncateMiddle";
  const typed = wordCount(working);
  return (
    <footer className="loom-status small soft">
      {figures.data && (
        <span className={fits ? "" : "full"}>
          {fits ? `${number(next)} tokens${most ? ` of ${number(most)}` : ""}` : "The next request does not fit"}
        </span>
      )}
      {typed > 0 && <span>{count(typed, "word")} not committed</span>}
      <span>{STRATEGIES[strategy] ?? strategy}</span>
      <span>
        {state.space?.bufferModeSystemContext
          ? "everything above is sent, after the system context"
          : "everything above is sent; system context off"}
      </span>
    </footer>
  );
}
