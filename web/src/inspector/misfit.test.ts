import { expect, test } from "vitest";
import { excess, trial, ways } from "./misfit";

test.each([
  ["everything", "24 tokens too many", /strategy/, { truncationStrategy: "dropOldest" }],
  ["required", "24 tokens too many", /Leave a large message out/, undefined],
  ["system", "24 tokens too many", /prompt/, { toolPolicy: "all-off" }],
  ["images", "24 images too many", /another API/, undefined],
])("%s: %s", (what, words, out, tried) => {
  const found = { what, needed: 73, limit: 49, largest: [{ what: "tools", tokens: 40 }] };
  expect(excess(found)).toBe(words);
  expect(ways(found).out).toMatch(out);
  expect(trial(found)?.settings).toEqual(tried);
  // Where it is tried already, or there are no tools, it would change nothing.
  expect(trial(found, trial(found)?.settings)).toBeNull();
  if (what === "system") expect(trial({ ...found, largest: [] })).toBeNull();
});
