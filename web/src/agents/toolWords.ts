/** Tools in words, and in groups by where they are from. Pure. */
import type { Schemas } from "../api/client";

export type Tool = Schemas["AgentTool"];
export type ToolServer = Schemas["ToolServer"];
export type Approval = Schemas["Approval"];
export type Decision = Schemas["ToolDecision"];

export const WHEN: Record<Approval, string> = {
  always: "without asking",
  ask: "when a person allows it",
  never: "never",
};

export const DECISIONS: Record<Decision, string> = {
  always: "Without asking",
  ask: "When a person allows it",
  never: "Never",
  configured: "As the configuration says",
};

/** A description on one line, for where there is no room. */
export const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";

/** The house's own first, then what looks at a tree, then each server by name. */
export function grouped(tools: readonly Tool[]): { name: string; tools: Tool[] }[] {
  const groups = new Map<string, Tool[]>();
  const nameOf = (tool: Tool) =>
    tool.from === "house" ? "Of this house" : tool.from === "tree" ? "Where it is shown a tree" : (tool.server ?? "");
  const rank = { house: 0, tree: 1, server: 2 };
  const sorted = [...tools].sort(
    (one, other) => rank[one.from] - rank[other.from] || (one.server ?? "").localeCompare(other.server ?? ""),
  );
  for (const tool of sorted) groups.set(nameOf(tool), [...(groups.get(nameOf(tool)) ?? []), tool]);
  return [...groups].map(([name, tools]) => ({ name, tools }));
}
