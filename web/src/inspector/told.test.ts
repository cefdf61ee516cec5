import { expect, test } from "vitest";
import { toldIn } from "./told";

test.each([
  [
    "OpenAI",
    {
      messages: [
        { role: "system", content: "S" },
        { role: "user", content: "A" },
      ],
    },
  ],
  ["Responses", { instructions: "S", input: [{ role: "user", content: [{ type: "input_text", text: "A" }] }] }],
  ["Anthropic", { system: [{ type: "text", text: "S" }], messages: [{ role: "user", content: [{ text: "A" }] }] }],
  ["Gemini", { systemInstruction: { parts: [{ text: "S" }] }, contents: [{ role: "user", parts: [{ text: "A" }] }] }],
])("%s", (_, body) => {
  expect(toldIn(JSON.stringify(body))).toEqual({ system: "S", messages: [{ role: "user", text: "A" }] });
});

test("what is no such body says nothing", () => {
  expect(toldIn("data: x")).toEqual({ system: "", messages: [] });
});
