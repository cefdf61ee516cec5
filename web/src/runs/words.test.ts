import { expect, test } from "vitest";
import type { Run } from "../api/types";
import { inColumn, inTurn, marks, stands } from "./words";

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

test("what asks for leave comes first, then who waits longest", () => {
  const parked = run({ status: "parked", waitsSince: "2026-02-18T14:51:00Z" });
  const late = run({ status: "waiting_reply", waitsSince: "2026-02-18T15:00:00Z" });
  const early = run({ status: "waiting_reply", waitsSince: "2026-02-18T14:55:00Z", createdAt: "2026-02-18T14:54:00Z" });
  const asks = run({ status: "waiting_tool", asksFor: "shell", waitsSince: "2026-02-18T16:00:00Z" });
  expect(inTurn([parked, late, early, asks])).toEqual([asks, early, late, parked]);
});

test("waiting for somebody outweighs working beside a space, and ended runs leave no mark", () => {
  const parked = run({ space: "a", status: "parked" });
  const runs = [
    run({ space: "a" }),
    parked,
    run({ space: "a", status: "queued" }),
    run({ space: "b", status: "queued" }),
    run({ space: "c", status: "completed" }),
    run({ space: null }),
  ];
  expect([...marks(runs, [parked])]).toEqual([
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
