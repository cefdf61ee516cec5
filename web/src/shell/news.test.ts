import { expect, test } from "vitest";
import type { Run } from "../api/types";
import { begun, grew } from "./news";

const run = (id: string) => ({ id }) as Run;

test("nobody is called for what waited already when the page was opened", () => {
  expect(begun(null, [run("a")])).toEqual([]);
  expect(begun(new Set(["a"]), [run("a"), run("b")])).toEqual([run("b")]);
});

test.each([
  [undefined, 3, false],
  [3, 3, false],
  [3, 0, false],
  [0, 1, true],
])("unread from %s to %s is news: %s", (before, now, expected) => {
  expect(grew(before, now)).toBe(expected);
});
