import { expect, test } from "vitest";
import type { Item } from "../api/types";
import { whyRows } from "./why";

const item = (node: string, decision: Item["decision"], reason: Item["reason"]): Item => ({
  node,
  decision,
  reason,
  tokens: 5,
});
const items = [..."abcd"].map((node) => item(node, "dropped", "middleCut"));
const rest = [item("e", "included", "recent"), item("f", "repaired", "recent")];
const chain = (node: string) => (node === "a" ? null : String.fromCharCode(node.charCodeAt(0) - 1));
const told = (rows: ReturnType<typeof whyRows>) => rows.map((row) => `${row.key} ${row.nodes}`);

test("neighbours of one fate are one row", () => {
  expect(told(whyRows([...items, ...rest], "all", new Set(), chain))).toEqual(["run a 4", "e 1", "f 1"]);
});

test("an opened run shows its nodes", () => {
  expect(told(whyRows(items, "all", new Set(["a"]), chain))).toEqual(["run a 4", "a 1", "b 1", "c 1", "d 1"]);
  const kept: Item = { from: "a", to: "c", nodes: 3, decision: "dropped", reason: "pruned", tokens: 9 };
  const rows = whyRows([kept], "all", new Set(["a…"]), chain);
  expect(rows.map((row) => row.tokens)).toEqual([9, null, null, null]);
});

test.each([
  ["in", ["e 1", "f 1"]],
  ["out", ["run a 4"]],
  ["changed", ["f 1"]],
] as const)("filter %s", (filter, expected) => {
  expect(told(whyRows([...items, ...rest], filter, new Set(), chain))).toEqual(expected);
});
