import { describe, expect, test } from "vitest";
import type { OnPath, Part, Run } from "../api/types";
import { begun } from "./begun";
import { coveredBy } from "./covered";
import { standing, telling } from "./presence";
import { modelNamed, priceOf } from "./prices";
import { formOf, samplingOf } from "./sampling";
import { seers } from "./seers";
import { withText } from "./withText";

test.each([
  ["@Sc", 3, { from: 0, typed: "Sc" }],
  ["ask @Ed now", 7, { from: 4, typed: "Ed" }],
  ["mail a@b", 8, null],
  ["@Scout ", 7, null],
])("a name begins behind an @ at a word's beginning: %s", (text, caret, found) => {
  expect(begun(text, caret)).toEqual(found);
});

test("another text keeps pictures and files", () => {
  const picture = { type: "image", mediaType: "image/png", data: "" } as Part;
  expect(withText([{ type: "text", text: "old" } as Part, picture], "new")).toEqual([
    { type: "text", text: "new" },
    picture,
  ]);
});

test("a summary covers what came since the one before it, up to its last node", () => {
  const path = [
    { id: "a", author: "x" },
    { id: "s1", author: "x", kind: "summary" as const },
    { id: "b", author: "x" },
    { id: "c", author: "x" },
    { id: "s2", author: "x", kind: "summary" as const, covers: "b" },
  ];
  expect(coveredBy(path[4]!, path).map((node) => node.id)).toEqual(["b"]);
  expect(coveredBy({ ...path[4]!, covers: null }, path).map((node) => node.id)).toEqual(["b", "c"]);
});

test("a receipt stands at the last message of yours that somebody has seen", () => {
  const said = (seq: number): OnPath => ({ seq, node: { id: String(seq), author: "me" }, place: 1, siblings: 1 });
  const nodes = [said(1), said(2), said(3)];
  expect(seers(nodes[1]!, nodes, { me: 3, jonas: 2, scout: 3 }, "me")).toEqual(["jonas"]);
});

test("a model is found with or without its provider", () => {
  const model = { id: "p/m", provider: "p", kind: "k", prices: { input: 3, output: 15 } };
  expect(modelNamed([model], "m")?.id).toBe("p/m");
  expect(priceOf(model, 1000)).toBeCloseTo(0.003);
  expect(priceOf(null, 1000)).toBeNull();
});

describe("presence", () => {
  const run = (more: Partial<Run>): Run => ({ id: "r", agent: "a", status: "running", steps: 0, depth: 0, ...more });

  test("of several runs the one that needs somebody tells most", () => {
    const parked = run({ id: "p", status: "parked", parked: "approval", asksFor: "fetch" });
    expect(telling([run({}), parked, run({ status: "completed" })], "a")?.id).toBe("p");
    expect(standing(parked)).toBe("asks for leave to use fetch");
    expect(telling([run({ status: "completed" })], "a")).toBeNull();
  });
});

test("sampling that is left empty is not sent", () => {
  const form = formOf("", { temperature: 0.2, stop: ["END"] }, null);
  expect(samplingOf(form)).toEqual({ temperature: 0.2, stop: ["END"] });
  expect(samplingOf(formOf("", null))).toEqual({});
});
