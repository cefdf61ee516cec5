/** Which shelf a space stands on, and in which order. Pure. */
import type { SpaceCard } from "../api/types";

const SHELVES = ["Spaces", "Looms", "Chats"] as const;
export type ShelfName = (typeof SHELVES)[number];

export function shelfOf(space: SpaceCard): ShelfName {
  if (space.mode === "buffer") return "Looms";
  return space.members > 2 ? "Spaces" : "Chats";
}

/** Where something was said last comes first; the id decides between equals, so that nothing jumps. */
function newest(one: SpaceCard, other: SpaceCard): number {
  return (other.lastAt ?? "").localeCompare(one.lastAt ?? "") || one.id.localeCompare(other.id);
}

/** The shelves that have something on them. */
export function inShelves(spaces: readonly SpaceCard[]): { name: ShelfName; spaces: SpaceCard[] }[] {
  const all = SHELVES.map((name) => ({ name, spaces: spaces.filter((space) => shelfOf(space) === name).sort(newest) }));
  return all.filter((shelf) => shelf.spaces.length > 0);
}
