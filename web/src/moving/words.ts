/** What came in, in words. Pure. */
import type { Schemas } from "../api/client";
import { count } from "../ui/numbers";

export type CameIn = Schemas["CameIn"];
export type Loss = Schemas["LossLine"];

/** Bytes of a file. */
export const LARGEST = 256 * 1024 * 1024;

export const FORMATS: Record<Schemas["Format"], string> = {
  weft: "Weft",
  openai: "OpenAI Chat Completions",
  responses: "OpenAI Responses",
  anthropic: "Anthropic Messages",
  gemini: "Gemini",
  "ai-sdk": "AI SDK",
  deepchat: "DeepChat",
  superdesign: "Superdesign",
  netdata: "Netdata",
  aspen: "Aspen",
  chatgpt: "ChatGPT export",
  claude: "Claude export",
  "open-webui": "Open WebUI export",
  librechat: "LibreChat export",
  "claude-code": "Claude Code sessions",
  codex: "Codex sessions",
};

export function size(bytes: number): string {
  if (bytes < 1024) return count(bytes, "byte");
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(0)} KB`;
  const megabytes = bytes / 1024 / 1024;
  return `${megabytes < 100 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`;
}

/** What a dry run found: "3 conversations, 120 messages". */
export function found(came: CameIn): string {
  const nodes = came.spaces.reduce((sum, space) => sum + space.nodes, 0);
  return `${count(came.spaces.length, "conversation")}, ${count(nodes, "message")}`;
}

/** What became of it: what is new, what was known, what was not taken. */
export function taken(came: CameIn): string {
  const added = came.spaces.reduce((sum, space) => sum + space.added, 0);
  const known = came.spaces.reduce((sum, space) => sum + space.known, 0);
  const failed = came.spaces.filter((space) => space.error).length;
  const isKnown = added === 0 && known > 0;
  const parts = [isKnown ? "Nothing is new, everything was here already" : `${count(added, "message")} came in`];
  if (known > 0 && !isKnown) parts.push(`${count(known, "message")} were here already`);
  if (failed > 0) parts.push(`${count(failed, "conversation")} could not be taken in`);
  return parts.join(", ");
}

/** Things of a file that have the same fate for the same reason. */
export interface Reason {
  outcome: Loss["outcome"];
  note: string;
  count: number;
  lines: Loss[];
}

/** What one should know first: what is gone, then what is something else now, then what was kept; much before little. */
export function reasons(loss: readonly Loss[]): Reason[] {
  const found = new Map<string, Reason>();
  for (const line of loss) {
    const key = `${line.outcome} ${line.note}`;
    const reason = found.get(key) ?? { outcome: line.outcome, note: line.note, count: 0, lines: [] };
    found.set(key, { ...reason, count: reason.count + line.count, lines: [...reason.lines, line] });
  }
  const rank = { dropped: 0, mapped: 1, kept: 2 };
  return [...found.values()].sort(
    (one, other) =>
      rank[one.outcome] - rank[other.outcome] || other.count - one.count || one.note.localeCompare(other.note),
  );
}

/** The loss report in a sentence. */
export function lossWords(loss: readonly Loss[]): string {
  const kinds = (outcome: Loss["outcome"]) => loss.filter((line) => line.outcome === outcome).length;
  const [dropped, mapped] = [kinds("dropped"), kinds("mapped")];
  if (dropped === 0 && mapped === 0) return "Nothing is lost.";
  const parts = [];
  if (dropped > 0) parts.push(`${count(dropped, "kind")} of things do not come in`);
  if (mapped > 0) parts.push(`${count(mapped, "kind")} come in as something else`);
  return `${parts.join(", ")}.`;
}
