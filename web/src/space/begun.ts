/** The beginning of a name that stands before the caret, behind an @. */
export function begun(text: string, caret: number): { from: number; typed: string } | null {
  const found = /(?:^|[\s(])@([^\s@]{0,40})$/u.exec(text.slice(0, caret));
  return found ? { from: caret - found[1]!.length - 1, typed: found[1]! } : null;
}
