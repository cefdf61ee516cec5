/** The space that is open, for everything inside it. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { createContext, useCallback, useContext, useMemo } from "react";
import type { Person } from "../api/types";
import type { Room, RoomState } from "../live/room";
import type { SpaceSearch } from "../router";

export interface Opened {
  room: Room;
  state: RoomState;
}

const Context = createContext<Opened | null>(null);
export const OpenedProvider = Context.Provider;

export function useOpened(): Opened {
  const opened = useContext(Context);
  if (!opened) throw new Error("no space is open here");
  return opened;
}

/** What of the space is looked at, from its address; `look` changes a part of it. */
export function useLook(): [SpaceSearch, (change: Partial<SpaceSearch>, how?: "push" | "replace") => void] {
  const search = useSearch({ strict: false }) as SpaceSearch;
  const navigate = useNavigate();
  const look = useCallback(
    (change: Partial<SpaceSearch>, how: "push" | "replace" = "push") =>
      void navigate({
        to: ".",
        search: (before: SpaceSearch) => {
          const all = { ...before, ...change };
          return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as SpaceSearch;
        },
        replace: how === "replace",
      }),
    [navigate],
  );
  return [search, look];
}

/** Whether a space is a chat: one person, and one agent that lives here. Then an agent replies at once. */
export function isChat(members: Person[]): boolean {
  const agents = members.filter((one) => one.type === "agent");
  return members.filter((one) => one.type === "human").length === 1 && agents.length === 1 && !agents[0]?.external;
}

/** What somebody is called here. */
export function useNames(): (entity: string) => string {
  const { members } = useOpened().state;
  const names = useMemo(() => new Map(members.map((one) => [one.id, one.name])), [members]);
  return useCallback((entity: string) => names.get(entity) ?? entity, [names]);
}
