/** What the report's words mean, in sentences that anyone can read. */
import type { Schemas } from "../api/client";
import type { Item } from "../api/types";

export type Decision = Schemas["Decision"];
export type Reason = Schemas["Reason"];
export type Dialect = Schemas["Dialect"];
export type Strategy = Schemas["Strategy"];

/** A sign, and the word that is always beside it. */
export const DECISIONS: Record<Decision, { sign: string; word: string; says: string }> = {
  included: { sign: "●", word: "in", says: "Sent as it is." },
  dropped: { sign: "○", word: "out", says: "Not sent." },
  shortened: { sign: "◐", word: "cut", says: "Sent in part." },
  repaired: { sign: "◍", word: "mended", says: "Sent, changed by a repair." },
};

export const REASONS: Record<Reason, string> = {
  system: "It is part of the system text.",
  summary: "It stands for what came before it.",
  firstTurn: "It belongs to the first turn, which is kept.",
  recent: "It is among the newest.",
  window: "There was room.",
  pinned: "Somebody pinned it.",
  trigger: "It caused the run.",
  reply: "It is the reply that was waited for.",
  input: "It is what the model is asked.",
  openExchange: "It belongs to the exchange that is going on.",
  notConversation: "It is a title, a request for one, a request for a summary, or accounting.",
  pruned: "It was taken out of the tree.",
  excluded: "Somebody left it out.",
  annotation: "It is a remark, and remarks are not sent.",
  notSent: "It is still being written.",
  failed: "It broke off.",
  beforeCheckpoint: "A summary covers it.",
  contextEdge: "It lies before a context edge.",
  outsideWindow: "It is older than the newest messages that are looked at.",
  toolPolicy: "The tool policy leaves it out.",
  empty: "It says nothing.",
  orphanResult: "It held only results of calls that are not there.",
  middleCut: "It was in the middle, and there was no room.",
  overBudget: "There was no room.",
};

export const REPAIRS: Record<Schemas["RepairKind"], string> = {
  interruptedCall: "A call had no result",
  orphanResult: "A result had no call",
  duplicateResult: "A call had two results",
  duplicateCall: "Two calls had one id",
  reordered: "Results did not follow their calls in order",
  badArguments: "Arguments were no JSON object",
  mappedId: "The API refuses the call's id",
  mappedName: "The API refuses the tool's name",
  opener: "The conversation did not begin with the user",
  closer: "The conversation did not end with the user",
  media: "The API takes no such media there",
  foreignTool: "The tool was run by another provider",
  systemMessage: "A system message stood where the API takes none",
};

export const WARNINGS: Record<Schemas["WarningKind"], string> = {
  unknownWindow: "The model's window is not known",
  reserveCapped: "Less was kept free for the reply",
  firstTurnDropped: "The first turn had to go",
  fewerRecent: "Fewer recent messages were kept than wished for",
  openTurnCut: "The open turn alone was too large",
  straySummary: "A summary names a message that is not before it",
  noCacheMark: "No cache mark was placed",
  unknownField: "Something in the file is not understood",
  unsupported: "Something asked for cannot be done here",
};

export const STRATEGIES: Record<Strategy, { name: string; says: string }> = {
  truncateMiddle: { name: "Cut the middle", says: "Keeps the first turn and the newest messages; cuts between." },
  rollingWindow: { name: "Rolling window", says: "Keeps the newest turns that fit." },
  stopAtLimit: { name: "Stop at the limit", says: "Removes nothing; says by how much it is over." },
  dropOldest: { name: "Drop the oldest", says: "Drops whole turns, oldest first." },
  stickyWindow: {
    name: "Sticky window",
    says: "A rolling window that moves rarely, so that the provider's cache is read and not rewritten.",
  },
};

export const DIALECTS: Record<Dialect, string> = {
  openai: "OpenAI Chat Completions",
  responses: "OpenAI Responses",
  anthropic: "Anthropic Messages",
  gemini: "Gemini generateContent",
  ollama: "Ollama chat",
  completions: "Plain text completion",
  "ai-sdk": "AI SDK messages",
  text: "Plain text to read",
  messages: "Weft's neutral messages",
};

export const dialects = Object.keys(DIALECTS) as Dialect[];

/** What a number of tokens rests on; beside every number. */
export const KINDS: Record<Schemas["Kind2"], string> = {
  estimated: "estimated by a rule of thumb",
  counted: "counted exactly, with the model's own vocabulary",
  reported: "reported by the provider",
};

export const KIND: Record<Schemas["Kind2"], string> = {
  estimated: "estimated",
  counted: "exact",
  reported: "reported",
};

export const PURPOSES: Record<Schemas["Purpose"], string> = { reply: "reply", title: "title", summary: "summary" };

export const OUTCOMES: Record<Schemas["CallOutcome"], string> = {
  done: "done",
  failed: "failed",
  canceled: "stopped",
};

const today = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const earlier = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** When a call was sent, to the second: several come in a minute. */
export function moment(time: string): string {
  const then = new Date(time);
  return (then.toDateString() === new Date().toDateString() ? today : earlier).format(then);
}

/** Whether any of a node was sent. */
export const isSent = (decision: Decision) => decision !== "dropped";

export const nodesOf = (item: Item) => item.nodes ?? 1;
