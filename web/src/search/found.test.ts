import { expect, test } from "vitest";
import { bySpace, type Hit, pieces } from "./found";

const snippet = (text: string, marks: number[][]) => ({ text, marks, cutBefore: false, cutAfter: false });
const shown = (text: string, marks: number[][]) =>
  pieces(snippet(text, marks)).map((piece) => (piece.marked ? `[${piece.text}]` : piece.text));

test.each<[string, number[][], string[]]>([
  ["The night market", [[10, 16]], ["The night ", "[market]"]],
  ["für Käse", [[5, 10]], ["für ", "[Käse]"]],
  ["<b>x</b>", [[0, 3]], ["[<b>]", "x</b>"]],
  ["nothing", [], ["nothing"]],
  [
    "a b",
    [
      [0, 1],
      [2, 3],
    ],
    ["[a]", " ", "[b]"],
  ],
  [
    "overlap",
    [
      [0, 4],
      [2, 6],
    ],
    ["[over]", "[la]", "p"],
  ],
])("%s with marks at %o", (text, marks, expected) => {
  expect(shown(text, marks)).toEqual(expected);
});

test("hits of a space stand together, the first space met first", () => {
  const hit = (space: string, node: string) => ({ space, node }) as Hit;
  const [one, two, three] = [hit("a", "1"), hit("b", "2"), hit("a", "3")];
  expect(bySpace([one, two, three])).toEqual([
    { space: "a", hits: [one, three] },
    { space: "b", hits: [two] },
  ]);
});
