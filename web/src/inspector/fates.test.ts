import { expect, test } from "vitest";
import type { Item } from "../api/types";
import { fates, flipRuns, flips, spread, tally } from "./fates";

const chain = (node: string) => (node === "a" ? null : String.fromCharCode(node.charCodeAt(0) - 1));
const item = (node: string, decision: Item["decision"], reason: Item["reason"] = "window"): Item => ({
  node,
  decision,
  reason,
  tokens: 10,
});

test("a run is spread over the way between its ends", () => {
  const run: Item = { from: "b", to: "e", nodes: 4, decision: "dropped", reason: "middleCut", tokens: 40 };
  expect(spread(run, chain)).toEqual(["b", "c", "d", "e"]);
  expect(spread(run, () => undefined)).toEqual(["b", "e"]);
  expect(fates([run], chain).map((fate) => fate.tokens)).toEqual([null, null, null, null]);
});

test("a node flips where it is sent by one and not by the other", () => {
  const before = fates([item("a", "included"), item("b", "included"), item("c", "dropped")], chain);
  const after = fates([item("a", "included"), item("b", "dropped", "middleCut"), item("c", "shortened")], chain);
  expect(flips(before, after).map((flip) => [flip.node, flip.turn])).toEqual([
    ["b", "out"],
    ["c", "in"],
  ]);
});

test("another form is a flip, another reason only if asked", () => {
  const before = fates([item("a", "included"), item("b", "included", "recent")], chain);
  const after = fates([item("a", "repaired"), item("b", "included", "pinned")], chain);
  expect(flips(before, after).map((flip) => flip.node)).toEqual(["a"]);
  expect(flips(before, after, true).map((flip) => flip.node)).toEqual(["a", "b"]);
});

test("a node of one path only is in or out", () => {
  const turned = flips(
    fates([item("x", "included")], chain),
    fates([item("y", "included"), item("z", "dropped")], chain),
  );
  expect(turned.map((flip) => [flip.node, flip.turn])).toEqual([
    ["x", "out"],
    ["y", "in"],
  ]);
});

test("nodes are counted with those in runs", () => {
  expect(
    tally([item("a", "included"), { from: "b", to: "d", nodes: 3, decision: "dropped", reason: "pruned", tokens: 1 }]),
  ).toEqual({
    sent: 1,
    left: 3,
  });
});

test("neighbours that flip alike stand together", () => {
  const before = fates(
    [..."abcd"].map((node) => item(node, "included")),
    chain,
  );
  const after = fates(
    [
      item("a", "dropped", "middleCut"),
      item("b", "dropped", "middleCut"),
      item("c", "dropped", "excluded"),
      item("d", "included"),
    ],
    chain,
  );
  expect(flipRuns(flips(before, after)).map((run) => [run.key, run.flips.length])).toEqual([
    ["a", 2],
    ["c", 1],
  ]);
});
