import { expect, test } from "vitest";
import type { Me, Run } from "../api/types";
import { inColumn, marks, needsPerson, stands, waitingFor } from "./words";

const me = { me: { id: "mira", name: "Mira", type: "human", external: false } } as Me;
let made = 0;
const run = (change: Partial<Run>): Run => ({
  id: `run-${made++}`,
  agent: "scout",
  space: "team",
  status: "running",
  steps: 1,
  depth: 0,
  createdAt: "2026-02-18T14:50:00Z",
  ...change,
});

test.each([
  [{ status: "parked" }, true],
  [{ status: "waiting_reply", waitsFor: "anyone" }, true],
  [{ status: "waiting_reply", waitsFor: "Mira" }, true],
  [{ status: "waiting_reply", waitsFor: "Designer" }, false],
  [{ status: "waiting_reply" }, false],
  [{ status: "waiting_tool", asksFor: "shell" }, true],
  [{ status: "waiting_tool" }, false],
  [{ status: "running" }, false],
] as [Partial<Run>, boolean][])("a person is needed: %o", (given, expected) => {
  expect(needsPerson(run(given), me)).toBe(expected);
});

test("what asks for leave comes first, then who waits longest", () => {
  const parked = run({ status: "parked" });
  const late = run({ status: "waiting_reply", waitsFor: "Mira", createdAt: "2026-02-18T15:00:00Z" });
  const early = run({ status: "waiting_reply", waitsFor: "Mira" });
  const asks = run({ status: "waiting_tool", asksFor: "shell", createdAt: "2026-02-18T16:00:00Z" });
  expect(waitingFor([parked, late, early, asks, run({})], me)).toEqual([asks, early, late, parked]);
});

test("waiting outweighs working beside a space, and ended runs leave no mark", () => {
  const runs = [
    run({ space: "a" }),
    run({ space: "a", status: "parked" }),
    run({ space: "a", status: "queued" }),
    run({ space: "b", status: "queued" }),
    run({ space: "c", status: "completed" }),
    run({ space: null }),
  ];
  expect([...marks(runs, me)]).toEqual([
    ["a", "waiting"],
    ["b", "working"],
  ]);
});

test("stopped runs stand among the done, newest first", () => {
  const done = run({ status: "completed" });
  const stopped = run({ status: "canceled", createdAt: "2026-02-18T15:00:00Z" });
  expect(inColumn([done, stopped, run({ status: "failed" })], "done")).toEqual([stopped, done]);
});

test("every status has words", () => {
  expect(stands(run({ status: "parked", parked: "budget" })).words).toBe("Parked: Its money is spent");
  expect(stands(run({ status: "waiting_tool", asksFor: "shell" })).words).toBe("Asks for leave: shell");
});
