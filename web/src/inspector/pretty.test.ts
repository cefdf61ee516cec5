import { expect, test } from "vitest";
import { charOf, laidOut, lay, matches, rowAt } from "./pretty";

test("JSON is laid out without changing a digit", () => {
  const laid = lay('{"a":1.0,"b":[],"c":[12345678901234567890,{"d":"x, {y}"}]}');
  expect(laidOut(laid)).toBe(
    [
      "{",
      '  "a": 1.0,',
      '  "b": [],',
      '  "c": [',
      "    12345678901234567890,",
      "    {",
      '      "d": "x, {y}"',
      "    }",
      "  ]",
      "}",
    ].join("\n"),
  );
  expect(laid.lines).toBe(10);
});

test("a long text is broken at its line breaks, and stays one line", () => {
  const laid = lay(JSON.stringify({ t: "one\ntwo \\n three\nfour" }));
  expect(laid.rows.map((row) => [row.line, row.text])).toEqual([
    [0, "{"],
    [1, '  "t": "one\\n'],
    [1, "two \\\\n three\\n"],
    [1, 'four"'],
    [2, "}"],
  ]);
});

test("rows know the element of the conversation they are in", () => {
  const laid = lay('{"model":"m","messages":[{"role":"user"},{"role":"assistant"}],"n":1}');
  const known = laid.rows.filter((row) => row.text.includes("role"));
  expect(known.map((row) => [row.field, row.element])).toEqual([
    ["messages", 0],
    ["messages", 1],
  ]);
  expect(laid.rows.at(-2)).toMatchObject({ field: "n", element: null });
});

test("what is no JSON is shown as it is", () => {
  const laid = lay('data: {"a":1}\n\ndata: [DONE]');
  expect(laid).toMatchObject({ json: false, lines: 3 });
  expect(lay('{"a":1}', true).rows).toHaveLength(1);
});

test("a byte is found in its row, whatever the script", () => {
  const body = '{"a":"äöü✓","b":"here"}';
  const byte = new TextEncoder().encode(body.slice(0, body.indexOf("here"))).length;
  const { rows } = lay(body);
  expect(rows[rowAt(rows, charOf(body, byte))]?.text).toContain("here");
});

test("a byte at the beginning of a broken row is in that row", () => {
  const body = JSON.stringify({ t: "one\ntwo" });
  const { rows } = lay(body);
  expect(rows[rowAt(rows, charOf(body, body.indexOf("two")))]?.text).toBe('two"');
});

test("hits are found whatever the case, across breaks too", () => {
  const { rows } = lay(`"${"x".repeat(1198)}Needle needle"`, true);
  expect(matches(rows, "NEEDLE").map(({ row, from }) => [row, from])).toEqual([
    [0, 1199],
    [1, 6],
  ]);
  expect(matches(rows, "")).toEqual([]);
});

test("a megabyte is laid out at once", () => {
  const body = JSON.stringify({
    messages: Array.from({ length: 10_000 }, (_, at) => ({ role: "user", content: `${at} ${"word ".repeat(18)}` })),
  });
  expect(lay(body).rows.length).toBeGreaterThan(40_000);
});
