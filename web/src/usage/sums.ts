/** Figures of usage, made ready to be shown. Pure. */
import type { Schemas } from "../api/client";
import type { Usage } from "../api/types";
import { money } from "../ui/numbers";

export type Total = Schemas["ShownTotal"];

/** The four buckets. No token is in two of them. */
export const BUCKETS = [
  { id: "input", name: "Read" },
  { id: "cacheRead", name: "From cache" },
  { id: "cacheWrite", name: "Into cache" },
  { id: "output", name: "Written" },
] as const;

export const tokens = (usage: Usage) => BUCKETS.reduce((sum, bucket) => sum + (usage[bucket.id] ?? 0), 0);

/** How much of what was read came from a cache; none if nothing was read. */
export function cacheHit({ input = 0, cacheRead = 0, cacheWrite = 0 }: Usage): number | null {
  const read = input + cacheRead + cacheWrite;
  return read > 0 ? cacheRead / read : null;
}

/** A dash where no price is known, a plus where only a part has one, ≈ where tokens were counted here. */
export function costWords(total: Total): string {
  const unknown = tokens(total.unpriced) > 0 || total.unreported > 0;
  if (unknown && total.costUsd === 0) return "—";
  return `${total.estimated > 0 ? "≈ " : ""}${money(total.costUsd)}${unknown ? " +" : ""}`;
}

/** Most tokens first; the name decides between equals. */
export function largestFirst(one: Total, other: Total): number {
  return tokens(other.usage) - tokens(one.usage) || (one.key ?? "").localeCompare(other.key ?? "");
}

const DAY = 86_400_000;
/** A day as the clock on the wall has it. */
export function dayOf(time: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** From which moment to which, of two days of the reader's own. */
export function period(since: string | undefined, until: string | undefined): { since?: string; until?: string } {
  const start = (day: string, add: number) => {
    const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
    const time = new Date(year, month - 1, date + add);
    return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
  };
  const from = since ? start(since, 0) : undefined;
  const to = until ? start(until, 1) : undefined;
  return { ...(from ? { since: from } : {}), ...(to ? { until: to } : {}) };
}

const MOST_DAYS = 400;

/** Every day from the first to the last, also those on which nothing was used; of very many, the last ones. */
export function everyDay(
  rows: readonly Total[],
  since?: string,
  until?: string,
): { day: string; total: Total | null }[] {
  const days = rows
    .map((row) => row.key ?? "")
    .filter(Boolean)
    .sort();
  const first = since ?? days[0];
  const last = until ?? days.at(-1);
  if (!first || !last) return [];
  const known = new Map(rows.map((row) => [row.key, row]));
  const all = [];
  // Noon, so that no change of the clocks skips a day.
  const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);
  const end = noon(last);
  for (let time = Math.max(noon(first), end - (MOST_DAYS - 1) * DAY); time <= end; time += DAY) {
    const day = new Date(time).toISOString().slice(0, 10);
    all.push({ day, total: known.get(day) ?? null });
  }
  return all;
}
