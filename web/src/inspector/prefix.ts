/** Up to where two requests are the same: that is what a provider's cache can keep of the older one. */
import { lay, rowAt } from "./pretty";

export interface Shared {
  /** Bytes that are the same, from the beginning. */
  bytes: number;
  /** Bytes of the newer one. */
  of: number;
  /** The field in which they part; null if they do not. */
  field: string | null;
}

const utf8 = new TextEncoder();

export function shared(before: string, now: string): Shared {
  const most = Math.min(before.length, now.length);
  let same = 0;
  while (same < most && before.charCodeAt(same) === now.charCodeAt(same)) same++;
  const whole = same === now.length && same === before.length;
  const { rows } = lay(now);
  return {
    bytes: utf8.encode(now.slice(0, same)).length,
    of: utf8.encode(now).length,
    field: whole ? null : (rows[rowAt(rows, same)]?.field ?? "end"),
  };
}
