/** Keys for what is to be done once. Pure. */

/**
 * The key of a request: the same when the same is sent again, another when something else is. What is sent may hold any
 * letters, a header may not: so it stands there as a number.
 */
export function onceKey(base: string, body: unknown): string {
  let sum = 0xcbf29ce484222325n;
  for (const letter of JSON.stringify(body)) {
    sum = BigInt.asUintN(64, (sum ^ BigInt(letter.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return `${base}-${sum.toString(16)}`;
}
