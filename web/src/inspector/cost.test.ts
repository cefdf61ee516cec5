import { expect, test } from "vitest";
import { costLines, total } from "./cost";

test("each kind of tokens has its price, and reading from a cache that has none costs what reading does", () => {
  const lines = costLines(
    { input: 1_000_000, output: 500_000, cacheRead: 1_000_000 },
    { input: 3, output: 15, cacheRead: 0.3 },
  );
  expect(lines.map((line) => line.usd)).toEqual([3, 0.3, 0, 7.5]);
  expect(total(lines)).toBeCloseTo(10.8);
  expect(costLines({ cacheRead: 1_000_000 }, { input: 3, output: 15 })[1]?.usd).toBe(3);
});

test("a price that is not known makes no sum", () => {
  expect(total(costLines({ input: 1 }, null))).toBeNull();
  expect(total(costLines({}, null))).toBe(0);
});
