/** What the messages of a body say: where no space knows the nodes, the bytes do. */
import type { Report } from "../api/types";
import { spread } from "./fates";
import type { Said } from "./window";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const FIELDS = ["messages", "input", "contents"];

/** All texts in a value, in order. */
function texts(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value !== "object" || value === null) return [];
  const inside = value.text ?? value.content ?? value.parts ?? value.output;
  return inside === undefined && typeof value.name === "string" ? [`→ ${value.name}`] : texts(inside);
}

/** The system text, and each message that is none. */
export function toldIn(body: string): { system: string; messages: { role: string; text: string }[] } {
  let root: Json;
  try {
    root = JSON.parse(body) as Json;
  } catch {
    return { system: "", messages: [] };
  }
  if (typeof root !== "object" || root === null || Array.isArray(root)) return { system: "", messages: [] };
  const list = FIELDS.map((field) => root[field]).find(Array.isArray) ?? [];
  const all = list.map((one) => ({
    role: one && typeof one === "object" && !Array.isArray(one) && typeof one.role === "string" ? one.role : "user",
    text: texts(one).join("\n"),
  }));
  const isSystem = (role: string) => role === "system" || role === "developer";
  const above = texts(root.system ?? root.instructions ?? root.systemInstruction);
  const first = all.filter((one) => isSystem(one.role)).map((one) => one.text);
  return { system: [...above, ...first].join("\n"), messages: all.filter((one) => !isSystem(one.role)) };
}

/** What a node of a report says, by the message it is in. */
export function saidIn(report: Report | null, body: string | null): (node: string) => Said | null {
  const { system, messages } = toldIn(body ?? "");
  const known = new Map<string, Said>();
  for (const item of report?.items ?? []) {
    const node = spread(item, () => undefined)[0];
    if (!node || item.decision === "dropped") continue;
    const message = item.message ? messages[item.message - 1] : undefined;
    if (message) known.set(node, { author: message.role, agent: message.role !== "user", text: message.text });
    else if (item.reason === "system") known.set(node, { author: "system", agent: false, text: system });
  }
  return (node) => known.get(node) ?? null;
}
