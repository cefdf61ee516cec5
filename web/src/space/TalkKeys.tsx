/** The keys of a space: moving between messages, and every act on the one at hand. */
import type { RefObject } from "react";
import { type Key, useKeys } from "../shell/keys";
import { isOwner, useMe } from "../shell/me";
import { choicesOf, focusComposer } from "./choices";
import { useLook, useOpened } from "./context";
import type { ListHandle } from "./List";
import type { Row, SaidRow } from "./rows";
import { useTalking } from "./talking";
import { undoLast } from "./undo";

const ACTS = [
  { key: "a", name: "answer", says: "Reply to the message" },
  { key: "e", name: "edit", says: "Edit the message" },
  { key: "r", name: "retry", says: "Ask for the reply again" },
  { key: "g", name: "generate", says: "Ask for several replies" },
  { key: "f", name: "fork", says: "Branch from the message" },
  { key: "p", name: "pin", says: "Pin or unpin the message" },
  { key: "x", name: "exclude", says: "Exclude the message, or send it again" },
  { key: "b", name: "bookmark", says: "Bookmark the message" },
  { key: "y", name: "copy", says: "Copy the message" },
] as const;

export function TalkKeys({ rows, list }: { rows: readonly Row[]; list: RefObject<ListHandle | null> }) {
  const talking = useTalking();
  const { cursor, acts, room, me, chat } = talking;
  const { state } = useOpened();
  const [, look] = useLook();
  const owner = isOwner(useMe());
  const said = () => rows.filter((row): row is SaidRow => row.kind === "said");
  const chosen = () => said().find((row) => row.id === cursor.state.at);

  const step = (by: 1 | -1) => {
    const all = said();
    const at = all.findIndex((row) => row.id === cursor.state.at);
    const next = all[at < 0 ? all.length - 1 : Math.min(all.length - 1, Math.max(0, at + by))];
    if (next) list.current?.toNode(next.id, true);
  };
  const end = (last: boolean) => {
    const to = last ? said().at(-1) : said()[0];
    if (to) list.current?.toNode(to.id, true);
    if (last) list.current?.toEnd();
  };
  /** On the message at hand; without one, on the last for which it makes sense. */
  const act = (name: (typeof ACTS)[number]["name"]) => {
    const able = (row: SaidRow) => choicesOf(talking, row, look, owner)[name];
    const at = chosen();
    const backwards = said().reverse();
    const mine = name === "edit" ? backwards.find((row) => row.said.node.author === me && able(row)) : undefined;
    const row = at ?? mine ?? backwards.find((one) => able(one));
    if (row) able(row)?.act();
  };
  const turn = (by: 1 | -1) => {
    const row = chosen() ?? said().findLast((one) => one.said.siblings > 1);
    if (row) talking.turn(row.said, by);
  };
  const writing = chat ? state.nodes.findLast((one) => one.node.status === "pending")?.node.id : undefined;
  const keys: Key[] = [
    { key: "j", says: "Next message", act: () => step(1) },
    { key: "k", says: "Message before", act: () => step(-1) },
    { key: "Home", says: "First loaded message", act: () => end(false) },
    { key: "End", says: "Last message", act: () => end(true) },
    { key: "[", says: "Version before", act: () => turn(-1) },
    { key: "]", says: "Version after", act: () => turn(1) },
    { key: "Alt+ArrowUp", says: "Version before", act: () => turn(-1), inFields: true },
    { key: "Alt+ArrowDown", says: "Version after", act: () => turn(1), inFields: true },
    ...ACTS.map(({ key, name, says }) => ({ key, says, act: () => act(name) })),
    { key: "u", says: "Undo", act: () => undoLast(room.id) },
    {
      key: "Escape",
      says: writing ? "Stop the reply" : "To the composer",
      act: () => (writing ? void acts.stop(writing) : focusComposer()),
    },
  ];
  useKeys(keys);
  return null;
}
