import { describe, expect, it } from "vitest";
import { waysOf } from "./asked";
import { blocks, wordCount } from "./blocks";

describe("blocks", () => {
  const pieces = (amount: number, text: (at: number) => string) =>
    Array.from({ length: amount }, (_, at) => ({ id: `n${at}`, text: text(at) }));

  it("all is there, in order", () => {
    const all = pieces(5_000, (at) => (at % 7 === 0 ? "a\n" : "b"));
    expect(blocks(all).flat()).toEqual(all);
  });

  it("a block ends where the text has a new line", () => {
    for (const block of blocks(pieces(500, (at) => (at % 7 === 0 ? "a\n" : "b"))).slice(0, -1)) {
      expect(block.at(-1)?.text).toBe("a\n");
    }
  });

  it("a text without new lines ends blocks all the same", () => {
    const sizes = blocks(pieces(1_000, () => "word ")).map((block) => block.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(160);
  });
});

describe("words", () => {
  it.each([
    ["", 0],
    ["  one, two.\nthree ", 3],
  ])("%j has %i", (text, amount) => {
    expect(wordCount(text)).toBe(amount);
  });
});

describe("ways on", () => {
  it("each has a seed of its own, one alone is as it was asked for", () => {
    expect(waysOf({ model: "m" }, 1, 5)).toEqual([{ model: "m" }]);
    expect(waysOf({ sampling: { temperature: 1 } }, 2, 5).map((how) => how.sampling)).toEqual([
      { temperature: 1, seed: 5 },
      { temperature: 1, seed: 6 },
    ]);
    expect(waysOf({ sampling: { seed: 40 } }, 2, 5).map((how) => how.sampling?.seed)).toEqual([40, 41]);
  });
});
