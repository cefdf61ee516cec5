/**
 * Where a node stands in a body, and which node a row belongs to.
 *
 * Its words are looked for first; where they are found twice or not at all, the number of its message decides. In some APIs
 * a message becomes several elements, so that number is only a hint.
 */
import type { Fate } from "./fates";
import type { Row } from "./pretty";
import { isSent } from "./words";

/** The fields that hold the conversation. */
const TALK = new Set(["messages", "input", "contents", "prompt"]);

/** Which element of the conversation each is that is no system text, from 0. */
function spoken(rows: Row[]): number[] {
  const first = rows.findIndex((row) => row.field !== null && TALK.has(row.field));
  const elements: number[] = [];
  if (first < 0) return elements;
  const field = rows[first]!.field;
  const system = new Set<number>();
  for (let at = first; at < rows.length && rows[at]!.field === field; at++) {
    const { element, text } = rows[at]!;
    if (element === null) continue;
    if (elements.at(-1) !== element) elements.push(element);
    if (/^ {6}"role": "(system|developer)"/.test(text)) system.add(element);
  }
  return elements.filter((element) => !system.has(element));
}

export interface Place {
  from: number;
  /** The last row. */
  to: number;
}

/** The beginning of a text as it stands in JSON, long enough to be told from others. */
function needle(text: string, json: boolean): string {
  const start = [...(text.split("\n")[0] ?? "")].slice(0, 60).join("");
  return json ? JSON.stringify(start).slice(1, -1) : start;
}

/** How a timeline names a node. */
const named = (node: string) => `[msg:${node}]`;
const NAMED = /\[msg:([^\]\s]+)\]/;

export function locate(rows: Row[], json: boolean, fate: Pick<Fate, "message" | "node">, text: string): Place | null {
  const told = rows.findIndex((row) => row.text.includes(named(fate.node)));
  if (told >= 0) return { from: told, to: told };
  const wanted = needle(text, json);
  const hits = wanted.length < 3 ? [] : rows.flatMap((row, at) => (row.text.includes(wanted) ? [at] : []));
  const element = fate.message === null ? undefined : spoken(rows)[fate.message - 1];
  const inTalk = (at: number) => rows[at]!.field === null || TALK.has(rows[at]!.field ?? "");
  const hit =
    hits.find((at) => element !== undefined && rows[at]!.element === element && inTalk(at)) ??
    hits.find(inTalk) ??
    hits[0];
  if (hit !== undefined) return around(rows, hit);
  if (element === undefined) return null;
  const from = rows.findIndex((row) => row.element === element && row.field !== null && TALK.has(row.field));
  return from < 0 ? null : around(rows, from);
}

/** The whole element of the conversation, or the line. */
function around(rows: Row[], at: number): Place {
  const { field, element, line } = rows[at]!;
  const whole = (row: Row) =>
    element !== null && field !== null && TALK.has(field)
      ? row.field === field && row.element === element
      : row.line === line;
  let [from, to] = [at, at];
  while (from > 0 && whole(rows[from - 1]!)) from--;
  while (to + 1 < rows.length && whole(rows[to + 1]!)) to++;
  // One text may hold many nodes: then only the row is meant.
  return to - from > 400 ? { from: at, to: at } : { from, to };
}

/** The node that a row belongs to: the one whose message it is in, or the last whose words stand at or before it. */
export function nodeAt(rows: Row[], at: number, fates: Fate[]): string | null {
  const row = rows[at];
  const told = row && NAMED.exec(row.text)?.[1];
  if (told && fates.some((fate) => fate.node === told)) return told;
  if (!row || row.field === null || row.element === null || !TALK.has(row.field)) return null;
  const message = spoken(rows).indexOf(row.element) + 1;
  if (message < 1) return null;
  const before = fates.filter((fate) => isSent(fate.decision) && fate.message !== null && fate.message <= message);
  const last = before.at(-1);
  return last && last.message === message ? last.node : null;
}
