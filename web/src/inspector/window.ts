/** What eats the window: its parts in tokens, the cells of the grid, and the same as text. */
import type { Schemas } from "../api/client";
import type { Item, Report } from "../api/types";
import { number, share } from "../ui/numbers";
import { KIND } from "./words";

export type PartKind = "system" | "tools" | "summary" | "messages" | "input" | "markers" | "reserve" | "free";

export interface WindowPart {
  kind: PartKind;
  name: string;
  tokens: number;
}

const NAMES: Record<PartKind, string> = {
  system: "System text",
  tools: "Tools",
  summary: "Summary",
  messages: "Messages",
  input: "New input",
  markers: "Marker of the cut",
  reserve: "Kept free for the reply",
  free: "Free",
};

const sum = (items: Item[]) => items.reduce((all, item) => all + item.tokens, 0);

/** What a request takes: everything but the reserve and what is free. */
export function occupied({ system, tools, input, markers, history }: Schemas["Budget"]): number {
  return system + tools + input + markers + history;
}

/** The parts of the window, in the order in which a model reads them. A summary in the system text is told apart from it. */
export function parts({ budget, items }: Report): WindowPart[] {
  const summaries = items.filter((item) => item.reason === "summary" && item.decision !== "dropped");
  const inSystem = Math.min(budget.system, sum(summaries.filter((item) => !item.message)));
  const inHistory = Math.min(budget.history, sum(summaries.filter((item) => item.message)));
  const known = budget.contextLength > 0;
  const tokens: Record<PartKind, number> = {
    tools: budget.tools,
    system: budget.system - inSystem,
    summary: inSystem + inHistory,
    messages: budget.history - inHistory,
    markers: budget.markers,
    input: budget.input,
    reserve: known ? budget.reserve : 0,
    free: known ? Math.max(0, budget.contextLength - budget.reserve - occupied(budget)) : 0,
  };
  return (Object.keys(tokens) as PartKind[])
    .map((kind) => ({ kind, name: NAMES[kind], tokens: tokens[kind] }))
    .filter((part) => part.tokens > 0);
}

/** So many cells by so many parts. Each part that is there has a cell, however small it is. */
export function cells(all: WindowPart[], count: number): PartKind[] {
  const whole = all.reduce((tokens, part) => tokens + part.tokens, 0);
  if (whole === 0) return [];
  const shares = all.map((part) => Math.max(1, (part.tokens * count) / whole));
  // What the small ones got too much the large ones give.
  const spare = shares.reduce((cells, one) => cells + (one > 1 ? one - 1 : 0), 0);
  const over = shares.reduce((cells, one) => cells + one, 0) - count;
  const fair = shares.map((one) => (one > 1 && spare > 0 ? one - ((one - 1) * over) / spare : one));
  const given = fair.map(Math.floor);
  let left = count - given.reduce((cells, one) => cells + one, 0);
  const order = fair.map((one, at) => ({ at, rest: one - Math.floor(one) })).sort((a, b) => b.rest - a.rest);
  for (const { at } of order) if (left-- > 0) given[at]!++;
  return all.flatMap((part, at) => Array<PartKind>(given[at]!).fill(part.kind));
}

export type By = "author" | "turn" | "message";

/** What is known of a node besides its fate. */
export interface Said {
  author: string;
  /** Whether an agent said it. */
  agent: boolean;
  text: string;
}

export interface Group {
  key: string;
  name: string;
  nodes: number;
  tokens: number;
  /** Where to look. */
  node: string | null;
}

/** Whether an item is part of the messages that are sent. */
const isMessage = (item: Item) =>
  item.decision !== "dropped" &&
  item.reason !== "system" &&
  item.reason !== "input" &&
  !(item.reason === "summary" && !item.message);

/** The messages that are sent, by who said them, by turn, or one by one. */
export function groups(items: Item[], by: By, said: (node: string) => Said | null): Group[] {
  const all = new Map<string, Group>();
  let turn = 0;
  let answered = true;
  for (const item of items.filter(isMessage)) {
    const node = item.node ?? item.from ?? null;
    const first = node ? said(node) : null;
    // A turn begins where somebody speaks after an agent did.
    if (answered && first && !first.agent) turn++;
    answered = first?.agent ?? answered;
    const [key, name] = named(item, by, first, turn, said);
    const group = all.get(key) ?? { key, name, nodes: 0, tokens: 0, node };
    group.nodes += item.nodes ?? 1;
    group.tokens += item.tokens;
    all.set(key, group);
  }
  return [...all.values()];
}

function named(
  item: Item,
  by: By,
  first: Said | null,
  turn: number,
  said: (node: string) => Said | null,
): [string, string] {
  const start = first?.text.split("\n")[0] ?? "";
  if (by === "turn") return [`turn ${turn}`, `Turn ${Math.max(turn, 1)}${start ? `: ${start}` : ""}`];
  if (by === "message") return [item.node ?? `${item.from}…${item.to}`, start || item.node || `from ${item.from}`];
  const last = item.to ? said(item.to) : first;
  // Of a run only its sum is known: it is one author's only if it is one message.
  if ((item.nodes ?? 1) > 1) return ["several", "Told only as a sum"];
  const author = first?.author ?? last?.author;
  return author ? [`author ${author}`, author] : ["unknown", "Not known any more"];
}

/** A share; what is there is never nothing. */
export function portion(part: number, all: number): string {
  return part > 0 && all > 0 && part / all < 0.01 ? "< 1 %" : share(part, all);
}

/** The window as text, to be pasted somewhere. */
export function asText(report: Report, model: string): string {
  const all = parts(report);
  const whole = report.budget.contextLength;
  const width = Math.max(...all.map((part) => part.name.length));
  const lines = all.map(
    (part) =>
      `${part.name.padEnd(width)}  ${number(part.tokens).padStart(11)}${whole ? `  ${portion(part.tokens, whole)}` : ""}`,
  );
  const taken = `${number(occupied(report.budget))} tokens${whole ? ` of ${number(whole)}` : ""}`;
  return [`${model}: ${taken} (${KIND[report.counter.kind]}, ${report.counter.name})`, ...lines].join("\n");
}
