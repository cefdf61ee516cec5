/** Who has seen your newest message that somebody has seen. One line in a space, not one for each message. */
import { useSyncExternalStore } from "react";
import type { OnPath } from "../api/types";
import { seers } from "./seers";
import { useTalking } from "./talking";

export function Seen({ said }: { said: OnPath }) {
  const { room, me, nameOf, kindOf, chat } = useTalking();
  const mine = said.node.author === me && !chat;
  const who = useSyncExternalStore(room.subscribe, () =>
    mine ? seers(said, room.state.nodes, room.state.reads, me).join("\n") : "",
  );
  if (!who) return null;
  const names = who.split("\n").filter((one) => kindOf(one) !== null);
  if (names.length === 0) return null;
  return (
    <p className="seen small soft">
      <span aria-hidden="true">✓ </span>seen by {names.map(nameOf).join(", ")}
    </p>
  );
}
