/** A tool that was used: its name and how it ended; what it was given and what it answered, folded. */
import { useSyncExternalStore } from "react";
import type { Part } from "../api/types";
import { Markdown } from "../ui/Markdown";
import { compact } from "../ui/numbers";
import type { ToolResult } from "./rows";
import { useTalking } from "./talking";

type ToolCall = Extract<Part, { type: "toolCall" }>;

/** An answer as text; pictures are named only. */
export function answerText(content: ToolResult["content"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

/** Arguments on one line, for a first glance. */
export function glance(args: unknown): string {
  if (typeof args !== "object" || args === null) return String(args ?? "");
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** Tools tell how they are doing apart from messages; a card hears of its own only. */
function useTool(call: string | undefined) {
  const { room } = useTalking();
  return useSyncExternalStore(room.subscribe, () => (call ? room.state.tools[call] : undefined));
}

export function ToolUse({ call, result }: { call: ToolCall | null; result: ToolResult | null }) {
  const live = useTool(call?.id);
  const name = call?.name ?? result?.name ?? "tool";
  const failed = result?.isError || live?.state === "failed";
  const answer = result ? answerText(result.content) : null;
  const state = failed ? "✕ failed" : result ? "✓ done" : live ? "◐ running" : "◌ no answer";
  return (
    <details className={`tool ${failed ? "failed" : ""}`}>
      <summary>
        <span aria-hidden="true">⚙</span> <code>{name}</code>
        <span className="soft cut grow">{call ? glance(call.args) : ""}</span>
        <span className="tool-state small">
          {state}
          {live?.took !== undefined &&
            ` · ${live.took < 1000 ? `${live.took} ms` : `${(live.took / 1000).toFixed(1)} s`}`}
          {!result && live?.message && ` · ${live.message}`}
          {answer && ` · ${compact(answer.length)} characters`}
        </span>
      </summary>
      {call && <Block name="Given" text={pretty(call.args)} />}
      {answer !== null && (failed ? <Block name="Fault" text={answer} /> : <Answer text={answer} />)}
      {answer === null && <p className="soft small">It has not answered.</p>}
    </details>
  );
}

const pretty = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

function Block({ name, text }: { name: string; text: string }) {
  return (
    <div className="tool-block">
      <span className="soft small">{name}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}

function Answer({ text }: { text: string }) {
  const data = /^\s*[[{]/.test(text);
  if (data || text.length > 4000) return <Block name="Answer" text={text} />;
  return (
    <div className="tool-block">
      <span className="soft small">Answer</span>
      <Markdown text={text} />
    </div>
  );
}
