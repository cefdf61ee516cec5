import { expect, test } from "vitest";
import { cacheHit, costWords, everyDay, largestFirst, period, type Total, tokens } from "./sums";

const total = (change: Partial<Total>): Total => ({
  key: "k",
  calls: 1,
  usage: {},
  costUsd: 0,
  unpriced: {},
  unreported: 0,
  estimated: 0,
  ...change,
});

test.each<[Partial<Total>, string]>([
  [{}, "$0"],
  [{ costUsd: 1.5 }, "$1.50"],
  [{ unpriced: { input: 5 } }, "—"],
  [{ costUsd: 0.5, unpriced: { output: 5 } }, "$0.500 +"],
  [{ costUsd: 0.5, estimated: 2 }, "≈ $0.500"],
  [{ unreported: 1 }, "—"],
])("%o costs %s", (given, expected) => {
  expect(costWords(total(given))).toBe(expected);
});

test("buckets are disjoint: they add up, and the cache's share is of what was read", () => {
  const usage = { input: 10, output: 5, cacheRead: 30, cacheWrite: 20 };
  expect(tokens(usage)).toBe(65);
  expect(cacheHit(usage)).toBe(0.5);
  expect(cacheHit({ output: 3 })).toBeNull();
});

test("days without use are there, too", () => {
  const rows = [total({ key: "2026-03-28" }), total({ key: "2026-03-30" })];
  expect(everyDay(rows).map((one) => [one.day, one.total !== null])).toEqual([
    ["2026-03-28", true],
    ["2026-03-29", false],
    ["2026-03-30", true],
  ]);
  expect(everyDay(rows, "2026-03-27", "2026-03-28").length).toBe(2);
  expect(everyDay([])).toEqual([]);
  expect(everyDay(rows, "2001-01-01").at(-1)?.day).toBe("2026-03-30");
  expect(everyDay(rows, "2001-01-01").length).toBe(400);
});

test("the last day is meant to its end", () => {
  const { since, until } = period("2026-02-18", "2026-02-18");
  expect(Date.parse(until ?? "") - Date.parse(since ?? "")).toBe(86_400_000);
  expect(period("yesterday", undefined)).toEqual({});
});

test("most tokens first", () => {
  const [small, large] = [total({ key: "a", usage: { input: 1 } }), total({ key: "b", usage: { output: 9 } })];
  expect([small, large].sort(largestFirst)).toEqual([large, small]);
});
