/** What entities and spaces are called, wherever no space is open. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { api, done } from "../api/client";
import { useHouse } from "../live/house";
import { useMe } from "../shell/me";

export const AGENTS = ["agents"];
export const PEOPLE = ["people"];

export function useAgents() {
  return useQuery({ queryKey: AGENTS, queryFn: () => done(api.GET("/api/agents")), staleTime: 30_000 });
}

export function usePeople() {
  return useQuery({ queryKey: PEOPLE, queryFn: () => done(api.GET("/api/people")), staleTime: 60_000 });
}

/** An entity's name; its id if nobody of that name is near. */
export function useEntityName(): (id: string) => string {
  const { me } = useMe();
  const agents = useAgents().data;
  const people = usePeople().data;
  const names = useMemo(() => {
    const all = new Map<string, string>([[me.id, me.name]]);
    for (const one of people ?? []) all.set(one.person.id, one.person.name);
    for (const one of agents ?? []) all.set(one.id, one.name);
    return all;
  }, [agents, people, me]);
  return useCallback((id: string) => names.get(id) ?? id, [names]);
}

/** A space's name; none if it is not yours to see. */
export function useSpaceName(): (id: string) => string | undefined {
  const { spaces } = useHouse();
  const names = useMemo(() => new Map(spaces.map((space) => [space.id, space.name || "Unnamed"])), [spaces]);
  return useCallback((id: string) => names.get(id), [names]);
}
