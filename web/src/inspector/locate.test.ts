import { expect, test } from "vitest";
import type { Fate } from "./fates";
import { locate, nodeAt } from "./locate";
import { lay } from "./pretty";

const body = JSON.stringify({
  messages: [
    { role: "system", content: "Be kind. hello there" },
    { role: "user", content: "hello there\nsecond" },
    { role: "assistant", content: "hello there" },
  ],
});
const { rows, json } = lay(body);
const fate = (node: string, message: number | null): Fate => ({
  node,
  decision: "included",
  reason: "window",
  tokens: 1,
  message,
});

test("the same words twice are told apart by the number of the message", () => {
  const place = locate(rows, json, { node: "b", message: 2 }, "hello there");
  expect(rows[place!.from]?.element).toBe(2);
  expect(rows.slice(place!.from, place!.to + 1).every((row) => row.element === 2)).toBe(true);
  expect(rows[locate(rows, json, { node: "a", message: 1 }, "hello there")!.from]?.element).toBe(1);
});

test("what has no words is found by its number, and what has neither is not", () => {
  expect(rows[locate(rows, json, { node: "a", message: 1 }, "")!.from]?.element).toBe(1);
  expect(locate(rows, json, { node: "x", message: null }, "")).toBeNull();
});

test("a row leads to its node", () => {
  const at = rows.findIndex((row) => row.element === 2);
  expect(nodeAt(rows, at, [fate("a", 1), fate("b", 2)])).toBe("b");
  expect(nodeAt(rows, 0, [fate("a", 1)])).toBeNull();
});

test("a timeline names its nodes", () => {
  const told = lay(JSON.stringify({ system: "HISTORY:\n  [msg:abc] Mira: hi\n  [msg:def] Jonas: ho" }));
  const place = locate(told.rows, told.json, { node: "def", message: null }, "");
  expect(told.rows[place!.from]?.text).toContain("Jonas");
  expect(nodeAt(told.rows, place!.from, [fate("def", null)])).toBe("def");
});
