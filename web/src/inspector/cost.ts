/** What requests cost: a sum is known only where each of its prices is. Tokens are of four disjoint kinds. */
import type { Schemas } from "../api/client";
import type { CallRecord, Report, Usage } from "../api/types";
import { occupied } from "./window";

export type Prices = Schemas["Prices"];
export type Bucket = "input" | "cacheRead" | "cacheWrite" | "output";

export const BUCKETS: { id: Bucket; name: string }[] = [
  { id: "input", name: "Read afresh" },
  { id: "cacheRead", name: "Read from the cache" },
  { id: "cacheWrite", name: "Put into the cache" },
  { id: "output", name: "Written" },
];

export interface CostLine {
  bucket: Bucket;
  name: string;
  tokens: number;
  /** US dollars for a million. */
  price: number | null;
  usd: number | null;
}

/** The price of a kind of tokens. Where a cache has no price of its own, reading from it costs what reading costs. */
function priceOf(prices: Prices | null | undefined, bucket: Bucket): number | null {
  if (!prices) return null;
  return prices[bucket] ?? (bucket === "cacheRead" || bucket === "cacheWrite" ? prices.input : null);
}

export function costLines(usage: Usage, prices: Prices | null | undefined): CostLine[] {
  return BUCKETS.map(({ id, name }) => {
    const tokens = usage[id] ?? 0;
    const price = priceOf(prices, id);
    const usd = tokens === 0 ? 0 : price === null ? null : (tokens * price) / 1_000_000;
    return { bucket: id, name, tokens, price, usd };
  });
}

/** The sum; unknown if a part of it is. */
export function total(lines: CostLine[]): number | null {
  return lines.reduce<number | null>((sum, line) => (sum === null || line.usd === null ? null : sum + line.usd), 0);
}

/** What the next request would read, by what a cache is expected to keep. The reply is not known yet. */
export function expected({ budget, cache }: Report): Usage {
  const all = occupied(budget);
  const cacheRead = Math.min(all, cache.predictedRead ?? 0);
  const cacheWrite = Math.min(all - cacheRead, cache.predictedWrite ?? 0);
  return { input: all - cacheRead - cacheWrite, cacheRead, cacheWrite, output: 0 };
}

export interface Spent {
  calls: number;
  usage: Required<Usage>;
  /** Of those whose price is known. */
  usd: number;
  unpriced: number;
  /** How many were counted here, because the provider told of none. */
  estimated: number;
}

/** What some calls used together. */
export function spent(calls: CallRecord[]): Spent {
  const all: Spent = {
    calls: calls.length,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    usd: 0,
    unpriced: 0,
    estimated: 0,
  };
  for (const call of calls) {
    for (const { id } of BUCKETS) all.usage[id] += call.usage?.[id] ?? 0;
    if (call.costUsd === null || call.costUsd === undefined) all.unpriced++;
    else all.usd += call.costUsd;
    if (call.estimated) all.estimated++;
  }
  return all;
}

/** What a model read, however it was paid for. */
export const readOf = (usage: Usage) => (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
