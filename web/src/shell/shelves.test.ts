import { expect, test } from "vitest";
import type { SpaceCard } from "../api/types";
import { inShelves } from "./shelves";

const card = (id: string, change: Partial<SpaceCard>) => ({ id, mode: "dialogue", members: 2, ...change }) as SpaceCard;

test("spaces stand on their shelves, newest first, equals by id; empty shelves are not there", () => {
  const spaces = [
    card("b", { lastAt: "2026-02-18T14:00:00Z" }),
    card("a", { lastAt: "2026-02-18T14:00:00Z" }),
    card("new", { lastAt: "2026-02-18T15:00:00Z" }),
    card("never", {}),
    card("team", { members: 3 }),
  ];
  expect(inShelves(spaces).map((shelf) => [shelf.name, shelf.spaces.map((space) => space.id)])).toEqual([
    ["Spaces", ["team"]],
    ["Chats", ["new", "a", "b", "never"]],
  ]);
});
