/** What is said in a space, and the place to say something. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { api, done } from "../api/client";
import { say } from "../ui/toasts";
import { Announcer } from "./Announcer";
import { useBand } from "./band";
import { Chips } from "./Chips";
import { Composer } from "./Composer";
import { useLook, useOpened } from "./context";
import { EmptyTalk } from "./EmptyTalk";
import { List, type ListHandle } from "./List";
import { useUnsent } from "./outbox";
import { rowsOf } from "./rows";
import { Several } from "./Several";
import { TalkKeys } from "./TalkKeys";
import { TalkingProvider, useTalkingValue } from "./talking";
import "./talk.css";
import "./composer.css";

const NO_LINES: never[] = [];

/** Where something was left behind on this path; asked again when the path became another. */
function useLines(space: string, head: string | null) {
  const { state } = useOpened();
  const branched = state.nodes.some((one) => one.siblings > 1);
  const asked = useQuery({
    queryKey: ["accounting", space, head],
    queryFn: () =>
      done(
        api.GET("/api/spaces/{space}/accounting", {
          params: { path: { space }, query: head ? { head } : {} },
        }),
      ),
    enabled: branched && head !== null,
    placeholderData: (before) => before,
  });
  return (branched && asked.data?.lines) || NO_LINES;
}

export function Talk() {
  const { room, state } = useOpened();
  const talking = useTalkingValue();
  const [search, look] = useLook();
  const list = useRef<ListHandle>(null);
  const unsent = useUnsent(room.id);
  const lines = useLines(room.id, state.head);
  const out = useBand(talking);
  const { nodes, remarks, newAfter, reads } = state;
  // Seen as an agent, what is new is what is new to it.
  const eyes = search.as && reads[search.as] !== undefined ? search.as : talking.me;
  const after = eyes === talking.me ? newAfter : (reads[eyes] ?? 0);
  const rows = useMemo(
    () => rowsOf({ nodes, remarks, newAfter: after, me: eyes, lines, out, unsent }),
    [nodes, remarks, after, eyes, lines, out, unsent],
  );
  const wanted = search.node ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: gone to when the address says so, not when something is said
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    void room.reach(wanted).then(
      (there) => {
        if (over) return;
        if (there) requestAnimationFrame(() => list.current?.toNode(wanted, false));
        else if (!search.head) look({ head: wanted }, "replace");
        else say("That message is not on this path.");
      },
      () => say("What was said before could not be loaded."),
    );
    return () => {
      over = true;
    };
  }, [wanted, room, state.opened]);
  return (
    <TalkingProvider value={talking}>
      {rows.length === 0 ? (
        <EmptyTalk />
      ) : (
        <List key={state.opened} rows={rows} lit={wanted} earlier={state.earlier} ref={list} />
      )}
      <TalkKeys rows={rows} list={list} />
      <Announcer />
      <Several />
      <Chips />
      {room.fixed === null && <Composer sent={() => list.current?.toEnd()} />}
    </TalkingProvider>
  );
}
