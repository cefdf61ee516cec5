/** What every message of an open space needs and what rarely changes: kept apart, so that a word that arrives draws nothing else. */
import { createContext, useContext, useMemo } from "react";
import type { OnPath, Person } from "../api/types";
import type { Room } from "../live/room";
import { useMe } from "../shell/me";
import { type Acts, actsOf } from "./acts";
import { isChat, useLook, useOpened } from "./context";
import { Cursor } from "./cursor";

export interface Talking {
  room: Room;
  me: string;
  members: Person[];
  /** A reply begins at once when something is said. */
  chat: boolean;
  /** The one agent that replies when it is asked to, if there is exactly one. */
  agent: Person | null;
  acts: Acts;
  /** Goes to the version of a node before or after. */
  turn: (said: OnPath, step: 1 | -1) => void;
  cursor: Cursor;
  nameOf: (entity: string) => string;
  kindOf: (entity: string) => Person["type"] | null;
}

const Context = createContext<Talking | null>(null);
export const TalkingProvider = Context.Provider;

export function useTalking(): Talking {
  const talking = useContext(Context);
  if (!talking) throw new Error("nothing is said here");
  return talking;
}

export function useTalkingValue(): Talking {
  const { room, state } = useOpened();
  const me = useMe().me.id;
  const { members } = state;
  const [, look] = useLook();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another room, another place in it
  const cursor = useMemo(() => new Cursor(), [room]);
  return useMemo(() => {
    const by = new Map(members.map((one) => [one.id, one]));
    const agents = members.filter((one) => one.type === "agent" && !one.external);
    const solo = members.filter((one) => one.type === "human").length === 1;
    const acts = actsOf(room, solo);
    return {
      room,
      me,
      members,
      chat: isChat(members),
      agent: agents.length === 1 && members.filter((one) => one.type === "agent").length === 1 ? agents[0]! : null,
      acts,
      turn: (said, step) => void acts.turn(said, step, (node) => look({ head: node, node })),
      cursor,
      nameOf: (entity: string) => by.get(entity)?.name ?? entity,
      kindOf: (entity: string) => by.get(entity)?.type ?? null,
    };
  }, [room, me, members, cursor, look]);
}
