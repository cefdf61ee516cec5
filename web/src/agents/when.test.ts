import { expect, test } from "vitest";
import { type Plan, rhythm, soonestFirst, untilNext } from "./when";

const plan = (change: Partial<Plan>): Plan => ({ id: "p", name: "", instruction: "", ...change });
const now = Date.parse("2026-02-18T14:50:00Z");

test.each<[Partial<Plan>, string, string]>([
  [{ cron: "0 9 * * *", next: "2026-02-18T14:52:13Z" }, "again and again: 0 9 * * *", "in 02:13"],
  [{ runAfter: "2 hours", next: "2026-02-18T14:49:00Z" }, "once, 2 hours after it was made", "due now"],
  [{ scheduledAt: "2026-02-18T14:00:00Z" }, "once", "has fired; never again"],
])("%o", (given, how, left) => {
  expect(rhythm(plan(given))).toBe(how);
  expect(untilNext(plan(given), now)).toBe(left);
});

test("what fires next comes first, what is over last", () => {
  const over = plan({ id: "over" });
  const late = plan({ id: "late", next: "2026-02-19T00:00:00Z" });
  const soon = plan({ id: "soon", next: "2026-02-18T15:00:00Z" });
  expect([over, late, soon].sort(soonestFirst)).toEqual([soon, late, over]);
});
