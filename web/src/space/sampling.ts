/** Sampling settings as a form holds them, and back. */
import type { Sampling } from "../api/types";

export interface Form {
  model: string;
  temperature: string;
  topP: string;
  topK: string;
  seed: string;
  stop: string;
  maxTokens: string;
}

const shown = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));
export const numeric = (text: string) => (text.trim() === "" ? undefined : Number(text));

export function formOf(model: string, sampling: Sampling | null | undefined, maxTokens?: number | null): Form {
  return {
    model,
    temperature: shown(sampling?.temperature),
    topP: shown(sampling?.topP),
    topK: shown(sampling?.topK),
    seed: shown(sampling?.seed),
    stop: (sampling?.stop ?? []).join("\n"),
    maxTokens: shown(maxTokens),
  };
}

export function samplingOf(form: Form): Sampling {
  const stop = form.stop.split("\n").filter((line) => line !== "");
  const all = {
    temperature: numeric(form.temperature),
    topP: numeric(form.topP),
    topK: numeric(form.topK),
    seed: numeric(form.seed),
    stop: stop.length > 0 ? stop : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Sampling;
}
