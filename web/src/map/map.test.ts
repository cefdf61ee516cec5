import { describe, expect, it } from "vitest";
import type { Glance, Node } from "../api/types";
import { cells } from "./cells";
import { diff } from "./diff";
import { first, hit, layout, place, ROW, within } from "./layout";
import { pairs } from "./pairs";
import { rows } from "./rows";
import { common, Tree, tip, tips } from "./tree";
import { fitted, onMap, zoomed } from "./view";

const glance = (id: string, parent: string | null, seq: number, more: Partial<Glance> = {}): Glance => ({
  id,
  parent,
  seq,
  author: "ann",
  kind: "message",
  status: "sent",
  edge: "continuation",
  flags: [],
  purged: false,
  createdAt: null,
  text: id,
  ...more,
});

/** "a b<a c<a": each node, and what it hangs on; the one before it if that is not said. */
function grown(line: string, flags: Record<string, Glance["flags"]> = {}): Tree {
  const tree = new Tree();
  let before: string | null = null;
  line.split(" ").forEach((word, at) => {
    const [id, parent] = word.split("<") as [string, string | undefined];
    tree.put(glance(id, parent ?? before, at + 1, { flags: flags[id] ?? [] }));
    before = id;
  });
  return tree;
}

const chain = (length: number) => grown(Array.from({ length }, (_, at) => `n${at}`).join(" "));
const plain = { fold: true, opened: new Set<string>(), pruned: "shown", head: null } as const;

describe("a tree", () => {
  it.each([
    ["a b c d<b e", "c", "e", "b", 2],
    ["a b c", "c", "b", "b", 2],
    ["a b", "b", "b", "b", 2],
  ])("%s: the paths to %s and %s part after %s", (line, one, other, at, shared) => {
    const tree = grown(line);
    const found = common(tree.path(one), tree.path(other));
    expect([found.at?.glance.id, found.shared]).toEqual([at, shared]);
  });

  it("two roots have nothing in common", () => {
    const tree = new Tree();
    tree.put(glance("a", null, 1));
    tree.put(glance("b", null, 2));
    expect(common(tree.path("a"), tree.path("b"))).toEqual({ at: null, shared: 0 });
  });

  it("the newest end of a branch is its tip; what is pruned is no way on", () => {
    const tree = grown("a b c<a d", { d: ["pruned"] });
    expect(tip(tree.of("a")!).glance.id).toBe("c");
    expect(tips(tree).map((twig) => twig.glance.id)).toEqual(["c", "b"]);
  });

  it("a node that is heard of again changes in place", () => {
    const tree = grown("a b");
    expect(tree.put(glance("b", "a", 2, { flags: ["pinned"] }))).toBeNull();
    expect(tree.of("b")?.glance.flags).toEqual(["pinned"]);
    expect(tree.of("a")?.children).toHaveLength(1);
  });
});

describe("cells", () => {
  const shown = (tree: Tree, how: Parameters<typeof cells>[1]) =>
    cells(tree.roots, how).map((cell) =>
      cell.folded ? `${cell.twig.glance.id}+${cell.folded.length}` : cell.twig.glance.id,
    );

  it("a long chain is its ends and a fold", () => {
    expect(shown(chain(10_000), plain)).toEqual(["n0", "n1+9998", "n9999"]);
  });

  it("what is marked, and the head, are not folded", () => {
    const tree = grown("a b c d e f g h i j k l m", { g: ["bookmarked"] });
    expect(shown(tree, plain)).toEqual(["a", "b+5", "g", "h+5", "m"]);
    expect(shown(tree, { ...plain, head: "j" })).toEqual(["a", "b+5", "g", "h", "i", "j", "k", "l", "m"]);
  });

  it("a fork is seen, and a fold that was opened stays open to its end", () => {
    const tree = grown("a b c d e f g h<e");
    expect(shown(tree, plain)).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
    expect(shown(chain(8), { ...plain, opened: new Set(["n1"]) })).toHaveLength(8);
  });

  it("what is pruned can be hidden, with all below it", () => {
    const tree = grown("a b c d<a", { b: ["pruned"] });
    expect(shown(tree, { ...plain, pruned: "hidden" })).toEqual(["a", "d"]);
  });
});

describe("a layout", () => {
  const bushy = () => {
    const line = ["n0"];
    for (let at = 1; at < 4_000; at++) line.push(`n${at}<n${Math.floor(at / 3)}`);
    return grown(line.join(" "));
  };

  it("no two cells of a level stand in each other's way, and no edges cross", () => {
    const laid = layout(bushy(), { ...plain, fold: false });
    for (const row of laid.levels) {
      row.slice(1).forEach((cell, at) => {
        expect(cell.y - row[at]!.y).toBeGreaterThanOrEqual(ROW - 0.001);
        expect((cell.parent?.y ?? 0) - (row[at]!.parent?.y ?? 0)).toBeGreaterThanOrEqual(0);
      });
    }
  });

  it("what is in a window is found by halving, as by looking at all", () => {
    const row = layout(bushy(), { ...plain, fold: false }).levels[6]!;
    const [from, to] = within(row, 1_000, 4_000);
    const seen = row.filter(
      (cell) => Math.max(cell.y, cell.parent!.y) >= 1_000 && Math.min(cell.y, cell.parent!.y) <= 4_000,
    );
    expect(row.slice(from, to)).toEqual(seen);
    expect(seen.length).toBeGreaterThan(3);
  });

  it("a node is hit where it stands, and not beside it", () => {
    const laid = layout(bushy(), plain);
    const cell = laid.cellOf.get("n700")!;
    expect(hit(laid, cell.x + 3, cell.y - 3, 8, false)).toBe(cell);
    expect(hit(laid, cell.x + 60, cell.y, 8, false)).toBeNull();
    expect(hit(laid, cell.x + 60, cell.y, 8, true)).toBe(cell);
  });

  it("a new node finds a place and moves nothing else", () => {
    const tree = bushy();
    const laid = layout(tree, plain);
    const before = new Map([...laid.cellOf].map(([id, cell]) => [id, cell.y]));
    const twig = tree.put(glance("new", "n5", 9_000))!;
    expect(place(laid, twig)).toBe(true);
    for (const [id, y] of before) expect(laid.cellOf.get(id)?.y).toBe(y);
    const row = laid.levels[laid.cellOf.get("new")!.level]!;
    row.slice(1).forEach((cell, at) => {
      expect(cell.y - row[at]!.y).toBeGreaterThanOrEqual(ROW - 0.001);
    });
  });

  it("on a folded node nothing can be hung without another layout", () => {
    const tree = chain(20);
    const laid = layout(tree, plain);
    expect(place(laid, tree.put(glance("new", "n9", 99))!)).toBe(false);
  });

  it("fifty thousand in a chain are laid out", () => {
    expect(layout(chain(50_000), { ...plain, fold: false }).levels).toHaveLength(50_000);
  });

  it("halving finds the first that holds", () => {
    expect(first([1, 3, 5], (one) => one >= 3)).toBe(1);
    expect(first([1, 3, 5], () => false)).toBe(3);
  });
});

describe("a view", () => {
  it("what is under the pointer stays there when it is made larger", () => {
    const view = { scale: 1, x: 10, y: 20 };
    const before = onMap(view, 300, 200);
    const after = onMap(zoomed(view, 1.5, 300, 200), 300, 200);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });

  it("all of it fits", () => {
    const box = { left: 0, top: -500, right: 4_000, bottom: 900 };
    const size = { width: 800, height: 600 };
    const view = fitted(box, size);
    expect(box.right * view.scale + view.x).toBeLessThanOrEqual(size.width);
    expect(box.bottom * view.scale + view.y).toBeLessThanOrEqual(size.height);
    expect(box.top * view.scale + view.y).toBeGreaterThanOrEqual(0);
  });
});

describe("a list", () => {
  const open = { pruned: "shown", head: null, isOpen: (_: unknown, what: string) => what === "branch" } as const;
  const lines = (tree: Tree, how: Parameters<typeof rows>[1] = open) =>
    rows(tree.roots, how).map((row) => `${row.level}${row.twig.glance.id}${row.count > 1 ? `+${row.count}` : ""}`);

  it("what goes on stands in a row, forks go deeper", () => {
    expect(lines(grown("a b c d<b e"))).toEqual(["1a", "2b", "2c", "2d", "3e"]);
  });

  it("long stretches are one line, opened on demand", () => {
    expect(lines(chain(10))).toEqual(["1n0", "2n1+8", "2n9"]);
    expect(lines(chain(10), { ...open, isOpen: () => true })).toHaveLength(11);
  });

  it("what is closed hides all below it", () => {
    expect(lines(grown("a b c d<b"), { ...open, isOpen: () => false })).toEqual(["1a"]);
  });
});

describe("words", () => {
  const told = (before: string, after: string) =>
    diff(before, after)
      .map(({ what, text }) => (what === "same" ? text : what === "new" ? `+${text}+` : `-${text}-`))
      .join("");

  it.each([
    ["the red boat", "the blue boat", "the -red-+blue+ boat"],
    ["one two", "one two three", "one two+ three+"],
    ["same", "same", "same"],
    ["a red old boat", "a blue new boat", "a -red old-+blue new+ boat"],
    ["", "new", "+new+"],
    ["夜市開了", "夜市關了", "夜市-開-+關+了"],
  ])("%j and %j", (before, after, expected) => {
    expect(told(before, after)).toBe(expected);
  });

  it("what is there and what was there can be read out of it", () => {
    const [before, after] = ["a quick brown fox, jumps", "the brown, quick fox jumps."];
    const all = diff(before, after);
    const side = (without: string) =>
      all
        .filter(({ what }) => what !== without)
        .map(({ text }) => text)
        .join("");
    expect(side("new")).toBe(before);
    expect(side("gone")).toBe(after);
  });
});

describe("versions", () => {
  const node = (id: string, editedFrom?: string): Node => ({ id, author: "ann", editedFrom });

  it("an edit and what it is an edit of are versions of each other, through others, too", () => {
    const found = pairs([node("a"), node("b")], [node("c", "a"), node("d")]);
    expect([found.get("a")?.id, found.get("c")?.id, found.get("b")]).toEqual(["c", "a", undefined]);
    expect(pairs([node("b", "a")], [node("c", "a")]).get("b")?.id).toBe("c");
  });
});
