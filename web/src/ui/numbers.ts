/** Numbers and times in the reader's own way. */

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

/** 12,345 */
export const number = (value: number) => whole.format(value);

/** 12.3K */
export const compact = (value: number) => short.format(value);

/** $0.0042; a dash where the price is not known. */
export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return "—";
  if (usd === 0) return "$0";
  const digits = usd >= 1 ? 2 : usd >= 0.01 ? 3 : 5;
  return `$${usd.toFixed(digits)}`;
}

/** 61 % */
export const share = (part: number, all: number) => (all > 0 ? `${Math.round((100 * part) / all)} %` : "—");

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const date = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const dated = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

export const atClock = (time: string) => clock.format(new Date(time));
export const atFull = (time: string) => full.format(new Date(time));

/** Tue 18 Feb; with the year where it is another. */
export function day(time: string): string {
  const then = new Date(time);
  return then.getFullYear() === new Date().getFullYear() ? date.format(then) : dated.format(then);
}

/** 14:50 today, 18 Feb else. */
export function when(time: string): string {
  return new Date(time).toDateString() === new Date().toDateString() ? atClock(time) : day(time);
}

/** 02:13 */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 3600)
    return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ${Math.floor((seconds % 3600) / 60)} min` : `${Math.floor(hours / 24)} days`;
}

/** "1 message", "3 messages" */
export const count = (amount: number, one: string, many = `${one}s`) =>
  `${number(amount)} ${amount === 1 ? one : many}`;
