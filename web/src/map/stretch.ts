/** The last nodes of a path, as many as are asked for. */
import { api, done } from "../api/client";
import type { OnPath } from "../api/types";

const PAGE = 1000;

export async function stretchOf(space: string, head: string, amount: number): Promise<OnPath[]> {
  const all: OnPath[] = [];
  while (all.length < amount) {
    const before = all[0]?.node.id;
    const query = { head, limit: Math.min(PAGE, amount - all.length), ...(before ? { before } : {}) };
    const path = await done(api.GET("/api/spaces/{space}/path", { params: { path: { space }, query } }));
    all.unshift(...path.nodes);
    if (!path.earlier || path.nodes.length === 0) break;
  }
  return all;
}
