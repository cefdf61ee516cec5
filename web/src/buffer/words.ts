/** All words of a node that is not on the path: as they are written, or asked for. */
import { useQuery } from "@tanstack/react-query";
import { api, done } from "../api/client";
import { useDraft } from "../live/drafts";
import { type Twig, textOf } from "../map/tree";
import { useOpened } from "../space/context";

export function useSaid({ glance }: Twig) {
  const { room } = useOpened();
  const params = { path: { space: room.id, node: glance.id } };
  return useQuery({
    queryKey: ["node", room.id, glance.id, glance.status],
    queryFn: () => done(api.GET("/api/spaces/{space}/nodes/{node}", { params })),
    enabled: glance.status !== "pending",
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useWords(twig: Twig): string {
  const { room } = useOpened();
  const { glance } = twig;
  const draft = useDraft(room.drafts, glance.id);
  const said = useSaid(twig);
  if (glance.status === "pending") return draft.text;
  return said.data ? textOf(said.data.node) : glance.text;
}
