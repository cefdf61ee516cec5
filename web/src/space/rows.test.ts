import { describe, expect, test } from "vitest";
import type { OnPath, Part, SaidNode } from "../api/types";
import { leftOut, type Row, rowsOf, type Shown } from "./rows";

const node = (id: string, more: Partial<OnPath["node"]> = {}): OnPath["node"] => ({
  id,
  author: "guide",
  createdAt: "2026-02-18T12:00:00Z",
  parts: [{ type: "text", text: id } as Part],
  ...more,
});
const on = (seq: number, one: OnPath["node"]): OnPath => ({ seq, node: one, place: 1, siblings: 1 });
const shown = (nodes: OnPath[], more: Partial<Shown> = {}): Row[] =>
  rowsOf({ nodes, remarks: [], newAfter: 99, me: "me", lines: [], out: new Map(), unsent: [], ...more });
const kinds = (rows: Row[]) => rows.map((row) => (row.kind === "said" ? row.id : row.kind)).join(" ");

describe("rows", () => {
  test("a day is named once", () => {
    const later = { createdAt: "2026-02-20T12:00:00Z" };
    expect(kinds(shown([on(1, node("a")), on(2, node("b")), on(3, node("c", later))]))).toBe("day a b day c");
  });

  test("the New rule stands before the first unread message of somebody else", () => {
    const nodes = [on(1, node("a")), on(2, node("mine", { author: "me" })), on(3, node("b")), on(4, node("c"))];
    const rows = shown(nodes, { newAfter: 1 });
    expect(kinds(rows)).toBe("day a mine new b c");
    expect(rows.find((row) => row.kind === "new")).toMatchObject({ count: 2 });
    expect(kinds(shown(nodes, { newAfter: 4 }))).toBe("day a mine b c");
  });

  test("what a tool answered is told where it was called", () => {
    const call = { type: "toolCall", id: "t", name: "f", args: {}, included: true } as Part;
    const answer = { type: "toolResult", id: "t", content: "1", isError: false, included: true } as Part;
    const rows = shown([on(1, node("a", { parts: [call] })), on(2, node("b", { parts: [answer] }))]);
    expect(kinds(rows)).toBe("day a");
    expect(rows[1]).toMatchObject({ results: [{ id: "t" }] });
    expect(kinds(shown([on(2, node("b", { parts: [answer] }))]))).toBe("day b");
  });

  test("a title stands beside the path, after the wish for it", () => {
    const wish: SaidNode = { seq: 2, node: node("wish", { kind: "titleRequest", edge: "annotation", parent: "a" }) };
    const title: SaidNode = { seq: 3, node: node("title", { kind: "title", parent: "wish" }) };
    expect(kinds(shown([on(1, node("a"))], { remarks: [wish, title] }))).toBe("day a wish title");
  });

  test("edges, accounting and the window's beginning are rules before their node", () => {
    const line = { node: "b", reason: "edit", left: 2, soFar: {} };
    const nodes = [on(1, node("a")), on(2, node("b", { contextEdge: true }))];
    const out = new Map([["a", "contextEdge" as const]]);
    expect(kinds(shown(nodes, { lines: [line], out }))).toBe("day a spent window edge b");
  });

  test("what is on its way comes last, until it is among what was said", () => {
    const unsent = { key: "k", body: { text: "x" }, at: "", state: "sending" as const, fault: null, node: null };
    expect(kinds(shown([on(1, node("a"))], { unsent: [unsent] }))).toBe("day a unsent");
    expect(kinds(shown([on(1, node("a"))], { unsent: [{ ...unsent, node: "a" }] }))).toBe("day a");
  });
});

describe("left out", () => {
  const path = ["a", "b", "c", "d"].map((id, at) => on(at + 1, node(id)));
  const item = (more: object) => ({ decision: "dropped" as const, reason: "overBudget" as const, tokens: 1, ...more });

  test("an item may be a node or a run of nodes, which may begin before what is loaded", () => {
    expect([...leftOut(path, [item({ node: "b" })]).keys()]).toEqual(["b"]);
    expect([...leftOut(path, [item({ from: "b", to: "c", nodes: 2 })]).keys()]).toEqual(["b", "c"]);
    expect([...leftOut(path, [item({ from: "long ago", to: "b", nodes: 9 })]).keys()]).toEqual(["a", "b"]);
  });

  test("what is sent, and what never is part of it, is no news", () => {
    expect(
      leftOut(path, [item({ node: "a", decision: "included" }), item({ node: "b", reason: "annotation" })]).size,
    ).toBe(0);
  });
});
