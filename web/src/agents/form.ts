/** What stands in the fields of an agent's page, and what of it changed. Pure. */
import type { Schemas } from "../api/client";
import type { Agent, Sampling } from "../api/types";

export interface Draft {
  name: string;
  model: string;
  systemPrompt: string;
  temperature: string;
  topP: string;
  topK: string;
  seed: string;
  /** One text a line. */
  stop: string;
  loomAware: boolean;
  loomAccess: Agent["loomAccess"];
  external: boolean;
}

const shown = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));

export function draftOf(agent: Agent): Draft {
  const { sampling } = agent;
  return {
    name: agent.name,
    model: agent.model ?? "",
    systemPrompt: agent.systemPrompt ?? "",
    temperature: shown(sampling?.temperature),
    topP: shown(sampling?.topP),
    topK: shown(sampling?.topK),
    seed: shown(sampling?.seed),
    stop: (sampling?.stop ?? []).join("\n"),
    loomAware: agent.loomAware,
    loomAccess: agent.loomAccess,
    external: agent.external,
  };
}

const NUMBERS = ["temperature", "topP", "topK", "seed"] as const;
const WHOLE = new Set<string>(["topK", "seed"]);

/** What is wrong with a number, in words. */
export function faultOf(field: (typeof NUMBERS)[number], text: string): string | null {
  if (text.trim() === "") return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return "A number, or nothing.";
  return WHOLE.has(field) && !Number.isInteger(value) ? "A whole number, or nothing." : null;
}

export const isSound = (draft: Draft) =>
  draft.name.trim() !== "" && NUMBERS.every((field) => faultOf(field, draft[field]) === null);

function samplingOf(draft: Draft): Sampling {
  const stop = draft.stop.split("\n").filter(Boolean);
  const given = NUMBERS.filter((field) => draft[field].trim() !== "").map((field) => [field, Number(draft[field])]);
  return { ...Object.fromEntries(given), ...(stop.length > 0 ? { stop } : {}) };
}

/** Only what is other than before; none if nothing is. */
export function changeOf(agent: Agent, draft: Draft): Schemas["AgentChange"] | null {
  const before = draftOf(agent);
  const change: Schemas["AgentChange"] = {};
  if (draft.name.trim() !== before.name) change.name = draft.name.trim();
  if (draft.model.trim() !== before.model) change.model = draft.model.trim();
  if (draft.systemPrompt !== before.systemPrompt) change.systemPrompt = draft.systemPrompt;
  if (draft.loomAware !== before.loomAware) change.loomAware = draft.loomAware;
  if (draft.loomAccess !== before.loomAccess) change.loomAccess = draft.loomAccess;
  if (draft.external !== before.external) change.external = draft.external;
  const sampled = [...NUMBERS, "stop" as const].some((field) => draft[field].trim() !== before[field].trim());
  if (sampled) change.sampling = samplingOf(draft);
  return Object.keys(change).length > 0 ? change : null;
}

/** Tokens of a text, roughly: four characters of Latin letters each, one of most others. */
export function roughTokens(text: string): number {
  let quarters = 0;
  for (const letter of text) quarters += (letter.codePointAt(0) ?? 0) < 0x2e80 ? 1 : 4;
  return Math.ceil(quarters / 4);
}
