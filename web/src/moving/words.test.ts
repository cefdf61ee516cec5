import { expect, test } from "vitest";
import { type CameIn, found, type Loss, lossWords, reasons, size, taken } from "./words";

const space = (change: Partial<CameIn["spaces"][number]>) => ({
  name: "",
  nodes: 2,
  added: 0,
  known: 0,
  newSpace: false,
  ...change,
});
const came = (...spaces: Partial<CameIn["spaces"][number]>[]): CameIn => ({
  format: "chatgpt",
  spaces: spaces.map(space),
  loss: [],
});
const line = (outcome: Loss["outcome"], count: number, note = ""): Loss => ({
  outcome,
  what: "",
  note,
  count,
  first: "",
});

test("a dry run says what is there", () => {
  expect(found(came({}, { nodes: 1 }))).toBe("2 conversations, 3 messages");
});

test.each([
  [came({ added: 2 }), "2 messages came in"],
  [came({ known: 2 }), "Nothing is new, everything was here already"],
  [came({ added: 1, known: 2 }), "1 message came in, 2 messages were here already"],
  [came({ added: 1 }, { error: "taken" }), "1 message came in, 1 conversation could not be taken in"],
])("what became of it", (given, expected) => {
  expect(taken(given)).toBe(expected);
});

test("what is gone comes first, by its reason, and much of it before little", () => {
  const loss = [
    line("kept", 9),
    line("dropped", 1, "a note"),
    line("mapped", 2),
    line("dropped", 5, "no file"),
    line("dropped", 7, "a note"),
  ];
  expect(reasons(loss).map((one) => [one.outcome, one.note, one.count, one.lines.length])).toEqual([
    ["dropped", "a note", 8, 2],
    ["dropped", "no file", 5, 1],
    ["mapped", "", 2, 1],
    ["kept", "", 9, 1],
  ]);
  expect(lossWords([line("kept", 9)])).toBe("Nothing is lost.");
  expect(lossWords(loss)).toBe("3 kinds of things do not come in, 1 kind come in as something else.");
});

test.each([
  [1, "1 byte"],
  [2048, "2 KB"],
  [1572864, "1.5 MB"],
  [268435456, "256 MB"],
])("%s bytes are %s", (bytes, expected) => {
  expect(size(bytes)).toBe(expected);
});
