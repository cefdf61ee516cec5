import { expect, test } from "vitest";
import { misfit } from "./misfit";

test.each([
  [
    "overLimit: 24 tokens over the limit, and this strategy removes nothing; largest: g8d5 42, 9xcj 31",
    {
      kind: "overLimit",
      excess: 24,
      largest: [
        { what: "g8d5", tokens: 42 },
        { what: "9xcj", tokens: 31 },
      ],
    },
  ],
  [
    "doesNotFit: what must be sent needs 73 tokens and 49 are available; largest: system 42",
    { kind: "doesNotFit", excess: 24, largest: [{ what: "system", tokens: 42 }] },
  ],
  ["systemTooLarge: system text and tools need 151 of 150 tokens", { kind: "systemTooLarge", excess: 1, largest: [] }],
  ["something else", null],
])("%s", (detail, expected) => {
  expect(misfit(detail)).toEqual(expected);
});
