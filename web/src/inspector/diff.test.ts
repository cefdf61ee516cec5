import { expect, test } from "vitest";
import { diff, folded } from "./diff";

const told = (before: string, after: string) =>
  diff([...before], [...after])
    .map(({ kind, text }) => ({ same: "", old: "-", new: "+" })[kind] + text)
    .join(" ");

test.each([
  ["abc", "abc", "a b c"],
  ["abc", "axc", "a -b +x c"],
  ["", "ab", "+a +b"],
  ["ab", "", "-a -b"],
  ["abcabba", "cbabac", "-a -b c +b a b -b a +c"],
])("%s to %s", (before, after, expected) => {
  expect(told(before, after)).toBe(expected);
});

test("both sides can be made again from it, whatever they are", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const text = () => Array.from({ length: random(30) }, () => "abcd"[random(4)]!);
    const [before, after] = [text(), text()];
    const lines = diff(before, after);
    expect(lines.filter((line) => line.kind !== "new").map((line) => line.text)).toEqual(before);
    expect(lines.filter((line) => line.kind !== "old").map((line) => line.text)).toEqual(after);
  }
});

test("bodies with nothing in common are told as one block, quickly", () => {
  const [before, after] = ["a", "b"].map((side) => Array.from({ length: 20_000 }, (_, at) => `${side}${at}`));
  expect(diff(before!, after!)).toHaveLength(40_000);
});

test("equal stretches are folded", () => {
  const before = Array.from({ length: 20 }, (_, at) => `${at}`);
  const blocks = folded(diff(before, before.with(10, "x")));
  expect(blocks.map((block) => block.hidden)).toEqual([7, 0, 6]);
});
