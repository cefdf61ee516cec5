/** What was found, made ready to be shown. Pure. */
import type { Schemas } from "../api/client";

export type Hit = Schemas["Hit"];

export interface Piece {
  text: string;
  marked: boolean;
}

const utf8 = new TextEncoder();
const words = new TextDecoder();

/** A snippet in pieces. Marks count bytes of UTF-8, a browser's strings do not. */
export function pieces(snippet: Schemas["Snippet"]): Piece[] {
  const bytes = utf8.encode(snippet.text);
  const all: Piece[] = [];
  let at = 0;
  const add = (to: number, marked: boolean) => {
    if (to > at) all.push({ text: words.decode(bytes.slice(at, to)), marked });
    at = Math.max(at, to);
  };
  for (const [from = 0, to = 0] of snippet.marks) {
    add(from, false);
    add(to, true);
  }
  add(bytes.length, false);
  return all;
}

/** By space, in the order in which the spaces were first met. */
export function bySpace(hits: readonly Hit[]): { space: string; hits: Hit[] }[] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) groups.set(hit.space, [...(groups.get(hit.space) ?? []), hit]);
  return [...groups].map(([space, hits]) => ({ space, hits }));
}
