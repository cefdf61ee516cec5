/** Why a request does not fit, taken from the server's sentence: by how much, and what is largest. */
export interface Misfit {
  kind: "overLimit" | "doesNotFit" | "systemTooLarge";
  /** Tokens that are too many. */
  excess: number;
  /** What is largest: a node's id, or `system`, `tools`, `input`. */
  largest: { what: string; tokens: number }[];
}

const OVER = /^overLimit: (\d+) tokens over the limit/;
const NEEDS = /^doesNotFit: what must be sent needs (\d+) tokens and (\d+) are available/;
const SYSTEM = /^systemTooLarge: system text and tools need (\d+) of (\d+) tokens/;

export function misfit(detail: string): Misfit | null {
  const largest = [...(detail.split("; largest: ")[1] ?? "").matchAll(/(\S+) (\d+)(?:, |$)/g)].map(
    ([, what, tokens]) => ({ what: what!, tokens: Number(tokens) }),
  );
  const over = OVER.exec(detail);
  if (over) return { kind: "overLimit", excess: Number(over[1]), largest };
  const needs = NEEDS.exec(detail);
  if (needs) return { kind: "doesNotFit", excess: Number(needs[1]) - Number(needs[2]), largest };
  const system = SYSTEM.exec(detail);
  if (system) return { kind: "systemTooLarge", excess: Number(system[1]) - Number(system[2]), largest };
  return null;
}
