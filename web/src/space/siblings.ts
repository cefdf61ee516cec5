/**
 * The other versions of a node. A path says how many there are, not which: the tree at a glance is read from their parent on
 * until all are found, which is mostly its first page.
 */
import { api, done } from "../api/client";
import type { Glance, OnPath } from "../api/types";
import type { Room } from "../live/room";

const PAGE = 1000;
const found = new WeakMap<Room, Map<string, string[]>>();

/** Where in the order of the space its siblings can begin. */
async function after(room: Room, { node }: OnPath): Promise<number> {
  if (!node.parent) return 0;
  const loaded = room.state.nodes.find((one) => one.node.id === node.parent);
  if (loaded) return loaded.seq;
  const path = { space: room.id, node: node.parent };
  return (await done(api.GET("/api/spaces/{space}/nodes/{node}", { params: { path } }))).seq;
}

const isSibling = (glance: Glance, { node }: OnPath) =>
  (glance.parent ?? null) === (node.parent ?? null) && glance.edge === "continuation";

/** All versions of a node, itself among them, in order. */
export async function siblingsOf(room: Room, said: OnPath): Promise<string[]> {
  const cache = found.get(room) ?? new Map<string, string[]>();
  found.set(room, cache);
  const key = said.node.parent ?? "";
  const known = cache.get(key);
  if (known && known.length === said.siblings && known.includes(said.node.id)) return known;
  const ids: string[] = [];
  let from = await after(room, said);
  while (ids.length < said.siblings) {
    const query = { after: from, limit: PAGE };
    const { nodes } = await done(api.GET("/api/spaces/{space}/tree", { params: { path: { space: room.id }, query } }));
    ids.push(...nodes.filter((glance) => isSibling(glance, said)).map((glance) => glance.id));
    const last = nodes.at(-1);
    if (!last || nodes.length < PAGE) break;
    from = last.seq;
  }
  cache.set(key, ids);
  return ids;
}
