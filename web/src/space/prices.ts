/** Models by name, and what they cost. */
import type { Schemas } from "../api/client";

export type Model = Schemas["ListedModel"];

/** The model of a name, which may lack its provider; without a name, the one that wrote last. */
export function modelNamed(models: readonly Model[], name?: string | null, wrote?: string | null): Model | null {
  const wanted = name || wrote;
  if (!wanted) return null;
  return models.find((one) => one.id === wanted) ?? models.find((one) => one.id.endsWith(`/${wanted}`)) ?? null;
}

/** What reading so many tokens afresh costs, in dollars. */
export function priceOf(model: Model | null, tokens: number): number | null {
  return model?.prices ? (tokens * model.prices.input) / 1_000_000 : null;
}
