/** What a space's path looks like line by line: messages and the rules between them. Pure, so that the list only draws. */
import type { Schemas } from "../api/client";
import { type Node, type OnPath, type Part, partsOf, type SaidNode } from "../api/types";
import type { Unsent } from "./outbox";

export type Reason = Schemas["Reason"];
export type Line = Schemas["ShownLine"];
export type ToolResult = Extract<Part, { type: "toolResult" }>;

export interface SaidRow {
  kind: "said";
  id: string;
  said: OnPath;
  /** What its tools answered, wherever on the path that stands. */
  results: readonly ToolResult[];
  remarks: readonly SaidNode[];
  /** The message that it replies to, if it is loaded. */
  quoted: Node | null;
  /** Why the next request does not hold it. */
  out: Reason | null;
}

export type Row =
  | { kind: "day"; id: string; at: string }
  | { kind: "new"; id: string; count: number; of: string }
  | { kind: "spent"; id: string; line: Line }
  | { kind: "edge"; id: string }
  | { kind: "window"; id: string; left: number }
  | SaidRow
  | { kind: "unsent"; id: string; unsent: Unsent };

export interface Shown {
  nodes: readonly OnPath[];
  remarks: readonly SaidNode[];
  /** Up to where it was read when it was opened. */
  newAfter: number;
  me: string;
  lines: readonly Line[];
  out: ReadonlyMap<string, Reason>;
  unsent: readonly Unsent[];
}

const NONE: readonly never[] = [];
const days = new WeakMap<Node, string>();

/** The reader's own day of a node; formatting dates is slow, so it is done once. */
function dayOf(node: Node): string {
  let found = days.get(node);
  if (found === undefined) {
    found = node.createdAt ? new Date(node.createdAt).toDateString() : "";
    days.set(node, found);
  }
  return found;
}

const isResult = (part: Part): part is ToolResult => part.type === "toolResult";
const onlyResults = (node: Node) => partsOf(node).length > 0 && partsOf(node).every(isResult);

/** The first message of somebody else that was not read. */
export function firstNew(nodes: readonly OnPath[], newAfter: number, me: string): number {
  let at = nodes.length;
  while (at > 0 && nodes[at - 1]!.seq > newAfter) at--;
  while (at < nodes.length && !counts(nodes[at]!.node, me)) at++;
  return at;
}

/** Whether a node is news to somebody. */
export const counts = (node: Node, me: string) =>
  node.author !== me && (node.kind ?? "message") === "message" && !onlyResults(node);

export function rowsOf({ nodes, remarks, newAfter, me, lines, out, unsent }: Shown): Row[] {
  const rows: Row[] = [];
  const spent = groupedBy(lines, (line) => line.node);
  const hanging = groupedBy(remarks, (remark) => remark.node.parent ?? "");
  const byId = new Map(nodes.map(({ node }) => [node.id, node]));
  const answers = new Map<string, ToolResult>();
  const called = new Set<string>();
  for (const { node } of nodes) {
    for (const part of partsOf(node)) {
      if (isResult(part)) answers.set(part.id, part);
      else if (part.type === "toolCall") called.add(part.id);
    }
  }
  const fresh = firstNew(nodes, newAfter, me);
  const start = windowStart(nodes, out);
  let day = "";
  nodes.forEach((said, at) => {
    const { node } = said;
    const today = dayOf(node);
    if (today && today !== day) {
      day = today;
      rows.push({ kind: "day", id: `day ${node.id}`, at: node.createdAt ?? "" });
    }
    if (at === fresh) {
      const count = nodes.slice(at).filter((one) => counts(one.node, me)).length;
      rows.push({ kind: "new", id: "new", count, of: me });
    }
    for (const line of spent.get(node.id) ?? NONE) {
      // A line from a file is its own node, and drawn as that.
      if (node.kind !== "accounting") rows.push({ kind: "spent", id: `spent ${node.id}`, line });
    }
    if (at === start) rows.push({ kind: "window", id: `window ${node.id}`, left: out.size });
    if (node.contextEdge && node.kind !== "summary") rows.push({ kind: "edge", id: `edge ${node.id}` });
    if (onlyResults(node) && partsOf(node).every((part) => isResult(part) && called.has(part.id))) return;
    rows.push({
      kind: "said",
      id: node.id,
      said,
      results: resultsOf(node, answers),
      remarks: hanging.get(node.id)?.filter((one) => !isAside(one.node)) ?? NONE,
      quoted: (node.replyTo && byId.get(node.replyTo)) || null,
      out: out.get(node.id) ?? null,
    });
    for (const { seq, node: aside } of asidesOf(node.id, hanging)) {
      const shown = { seq, node: aside, place: 1, siblings: 1 };
      rows.push({ kind: "said", id: aside.id, said: shown, results: NONE, remarks: NONE, quoted: null, out: null });
    }
  });
  for (const one of unsent) {
    if (!byId.has(one.node ?? "")) rows.push({ kind: "unsent", id: `unsent ${one.key}`, unsent: one });
  }
  return rows;
}

/** What hangs beside the path and is no remark: a wish for a title, and the title. */
const isAside = (node: Node) => (node.kind ?? "message") !== "message";

function asidesOf(node: string, hanging: Map<string, SaidNode[]>): SaidNode[] {
  const direct = (hanging.get(node) ?? NONE).filter((one) => isAside(one.node));
  return direct.flatMap((one) => [one, ...asidesOf(one.node.id, hanging)]);
}

function resultsOf(node: Node, answers: Map<string, ToolResult>): readonly ToolResult[] {
  const found = partsOf(node).flatMap((part) => {
    const answer = part.type === "toolCall" ? answers.get(part.id) : undefined;
    return answer ? [answer] : [];
  });
  return found.length > 0 ? found : NONE;
}

/** Where the window begins: the first node that is sent after some that are not. */
function windowStart(nodes: readonly OnPath[], out: ReadonlyMap<string, Reason>): number {
  if (out.size === 0) return -1;
  const cut = (reason: Reason | undefined) => reason !== undefined && CUTS.has(reason);
  let last = -1;
  nodes.forEach(({ node }, at) => {
    if (cut(out.get(node.id))) last = at;
  });
  return last >= 0 && last + 1 < nodes.length ? last + 1 : -1;
}

/** Reasons that cut a stretch off, unlike those that take one message out. */
const CUTS = new Set<Reason>(["beforeCheckpoint", "contextEdge", "outsideWindow", "middleCut", "overBudget"]);

function groupedBy<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const found = groups.get(key(one));
    if (found) found.push(one);
    else groups.set(key(one), [one]);
  }
  return groups;
}

/** Which nodes of a path the next request leaves out, and why. An item may stand for a whole run of them. */
export function leftOut(nodes: readonly OnPath[], items: readonly Schemas["Item"][]): Map<string, Reason> {
  const at = new Map(nodes.map(({ node }, index) => [node.id, index]));
  const out = new Map<string, Reason>();
  for (const item of items) {
    if (item.decision !== "dropped" || QUIET.has(item.reason)) continue;
    if (item.node) {
      if (at.has(item.node)) out.set(item.node, item.reason);
      continue;
    }
    const to = item.to ? at.get(item.to) : undefined;
    if (to === undefined) continue;
    for (let index = (item.from ? at.get(item.from) : undefined) ?? 0; index <= to; index++) {
      out.set(nodes[index]!.node.id, item.reason);
    }
  }
  return out;
}

/** What is never part of a conversation needs no word. */
const QUIET = new Set<Reason>(["notConversation", "annotation", "notSent", "system", "summary"]);

const WORDS: Partial<Record<Reason, string>> = {
  beforeCheckpoint: "before the summary",
  contextEdge: "before a fresh beginning",
  outsideWindow: "outside the window",
  middleCut: "cut out of the middle",
  overBudget: "over budget",
  excluded: "excluded",
  pruned: "deleted",
  failed: "failed",
  toolPolicy: "tools are left out",
  orphanResult: "its call is not sent",
  empty: "empty",
};

export const inWords = (reason: Reason) => WORDS[reason] ?? reason;

/** The text of a node, without what a model thought. */
export const textOf = (node: Node) =>
  partsOf(node)
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n");
