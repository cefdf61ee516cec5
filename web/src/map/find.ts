/** What of a tree is looked for: by how texts begin at once, by all words as soon as the server has found them. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { api, done } from "../api/client";
import type { Tree } from "./tree";

const PAUSE = 250;
const MOST = 100;

export function useFound(space: string, tree: Tree, version: number, asked: string): ReadonlySet<string> | null {
  const [settled, settle] = useState(asked);
  useEffect(() => {
    const timer = setTimeout(() => settle(asked), PAUSE);
    return () => clearTimeout(timer);
  }, [asked]);
  const words = settled.trim();
  const hits = useQuery({
    queryKey: ["search", space, words],
    queryFn: () => done(api.GET("/api/search", { params: { query: { q: words, space, limit: MOST } } })),
    enabled: words.length > 1,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  return useMemo(() => {
    if (!asked.trim()) return null;
    const sought = asked.trim().toLowerCase();
    const found = new Set<string>();
    for (const [id, twig] of tree.twigs) if (twig.glance.text.toLowerCase().includes(sought)) found.add(id);
    for (const hit of hits.data?.hits ?? []) found.add(hit.node);
    return found;
  }, [tree, version, asked, hits.data]);
}
