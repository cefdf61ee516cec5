import { expect, test } from "vitest";
import { curl, hasApi } from "./curl";
import { dialects } from "./words";

test("keys are the shell's own, and a quote ends nothing", () => {
  expect(curl("anthropic", "anthropic/claude", '{"a":"it\'s"}')).toBe(
    [
      'curl "$' + '{ANTHROPIC_BASE_URL:-https://api.anthropic.com}/v1/messages" \\',
      '  -H "Content-Type: application/json" \\',
      '  -H "x-api-key: $ANTHROPIC_API_KEY" \\',
      '  -H "anthropic-version: 2023-06-01" \\',
      `  --data-binary '{"a":"it'\\''s"}'`,
    ].join("\n"),
  );
});

test("Gemini has the model in its address", () => {
  expect(curl("gemini", "google/models/gemini-2.5-pro", "{}")).toContain(
    "/v1beta/models/gemini-2.5-pro:generateContent",
  );
});

test("what is no API has no line", () => {
  expect(dialects.filter((dialect) => !hasApi(dialect))).toEqual(["ai-sdk", "text", "messages"]);
  expect(curl("text", "m", "x")).toBeNull();
});
