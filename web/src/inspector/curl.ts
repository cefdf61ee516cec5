/**
 * A request as a line for a shell. Keys are never in it: the shell puts in its own, from the variables that the providers'
 * own tools read; so it does with the address where that is not the provider's own.
 */
import type { Dialect } from "./words";

interface Api {
  address: (model: string) => string;
  headers: string[];
}

const BEARER = "Authorization: Bearer $OPENAI_API_KEY";
const OPENAI = "$" + "{OPENAI_BASE_URL:-https://api.openai.com/v1}";

/** The APIs that take such a body; the other dialects are for reading and for libraries. */
const APIS: Partial<Record<Dialect, Api>> = {
  openai: { address: () => `${OPENAI}/chat/completions`, headers: [BEARER] },
  responses: { address: () => `${OPENAI}/responses`, headers: [BEARER] },
  completions: { address: () => `${OPENAI}/completions`, headers: [BEARER] },
  anthropic: {
    address: () => "$" + "{ANTHROPIC_BASE_URL:-https://api.anthropic.com}/v1/messages",
    headers: ["x-api-key: $ANTHROPIC_API_KEY", "anthropic-version: 2023-06-01"],
  },
  gemini: {
    address: (model) =>
      `https://generativelanguage.googleapis.com/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: ["x-goog-api-key: $GEMINI_API_KEY"],
  },
  ollama: { address: () => "$" + "{OLLAMA_HOST:-http://127.0.0.1:11434}/api/chat", headers: [] },
};

/** Whether a dialect has an API that curl could ask. */
export const hasApi = (dialect: Dialect) => APIS[dialect] !== undefined;

/** A text that a shell takes as it is. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The model's name without its provider. */
const wireName = (model: string) => model.slice(model.indexOf("/") + 1).replace(/^models\//, "");

export function curl(dialect: Dialect, model: string, body: string): string | null {
  const api = APIS[dialect];
  if (!api) return null;
  const lines = [
    `curl "${api.address(wireName(model))}"`,
    ...["Content-Type: application/json", ...api.headers].map((header) => `  -H "${header}"`),
    `  --data-binary ${quoted(body)}`,
  ];
  return lines.join(" \\\n");
}
