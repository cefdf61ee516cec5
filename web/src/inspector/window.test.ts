import { expect, test } from "vitest";
import type { Item, Report } from "../api/types";
import { asText, cells, groups, parts } from "./window";

const item = (node: string, tokens: number, more: Partial<Item> = {}): Item => ({
  node,
  decision: "included",
  reason: "window",
  tokens,
  ...more,
});

const report = (items: Item[], budget: Partial<Report["budget"]> = {}): Report => ({
  form: "dialogue",
  dialect: "openai",
  strategy: "truncateMiddle",
  truncated: false,
  counter: { name: "o200k", kind: "counted" },
  budget: {
    contextLength: 1000,
    reserve: 100,
    system: 151,
    tools: 0,
    input: 0,
    markers: 0,
    available: 749,
    history: 73,
    ...budget,
  },
  items,
  repairs: [],
  cache: { marks: [] },
  warnings: [],
  hash: "sha256:0",
});

test("a summary in the system text is told apart from it, and all parts make up the window", () => {
  const all = parts(report([item("s", 134, { reason: "summary" }), item("m", 73, { message: 1 })]));
  expect(all.map(({ kind, tokens }) => [kind, tokens])).toEqual([
    ["system", 17],
    ["summary", 134],
    ["messages", 73],
    ["reserve", 100],
    ["free", 676],
  ]);
  expect(all.reduce((sum, part) => sum + part.tokens, 0)).toBe(1000);
});

test("an unknown window has no free part", () => {
  expect(parts(report([], { contextLength: 0, reserve: 0 })).map(({ kind }) => kind)).toEqual(["system", "messages"]);
});

test("each part has a cell and the cells are as many as asked", () => {
  const all = [
    { kind: "system" as const, name: "", tokens: 1 },
    { kind: "tools" as const, name: "", tokens: 1 },
    { kind: "free" as const, name: "", tokens: 1_000_000 },
  ];
  const grid = cells(all, 100);
  expect(grid).toHaveLength(100);
  expect(grid.slice(0, 3)).toEqual(["system", "tools", "free"]);
  expect(cells([{ kind: "free", name: "", tokens: 3 }], 7)).toHaveLength(7);
  expect(cells([], 10)).toEqual([]);
});

const said = (node: string) => ({ author: node[0]!, agent: node[0] === "g", text: `text of ${node}` });
const talk = [item("m1", 10), item("g1", 5), item("m2", 20), item("g2", 7), item("x", 99, { decision: "dropped" })];

test("messages are summed by author", () => {
  expect(groups(talk, "author", said).map(({ name, nodes, tokens }) => [name, nodes, tokens])).toEqual([
    ["m", 2, 30],
    ["g", 2, 12],
  ]);
});

test("a turn begins where somebody speaks after an agent did", () => {
  expect(groups(talk, "turn", said).map(({ name, tokens }) => [name, tokens])).toEqual([
    ["Turn 1: text of m1", 15],
    ["Turn 2: text of m2", 27],
  ]);
});

test("as text it names the source of its numbers", () => {
  expect(asText(report([]), "openai/gpt").split("\n")[0]).toBe("openai/gpt: 224 tokens of 1,000 (exact, o200k)");
});
