/** Requests for titles and summaries, titles, summaries, and accounting lines of imported files: none is ever sent as it stands. */
import { useState } from "react";
import type { Node } from "../api/types";
import { Button } from "../ui/controls";
import { Markdown } from "../ui/Markdown";
import { Compare } from "./Compare";
import { useCursor } from "./cursor";
import { EditBox } from "./EditBox";
import { Figures } from "./Figures";
import { Spent } from "./Rules";
import { type SaidRow, textOf } from "./rows";
import { useTalking } from "./talking";
import { Writing } from "./Writing";

export const isSpecial = (node: Node) => (node.kind ?? "message") !== "message";

export function Special({ row }: { row: SaidRow }) {
  const { node } = row.said;
  switch (node.kind) {
    case "titleRequest":
      return <Request node={node} sign="📝" name="Title request" />;
    case "summaryRequest":
      return <Request node={node} sign="📋" name="Summary request" />;
    case "title":
      return (
        <div className="special title">
          {node.status === "pending" ? <Writing node={node.id} /> : <em>{textOf(node) || node.error}</em>}
          <Figures node={node} />
        </div>
      );
    case "summary":
      return <Summary node={node} />;
    case "accounting":
      return <Told node={node} />;
    default:
      return null;
  }
}

function Request({ node, sign, name }: { node: Node; sign: string; name: string }) {
  return (
    <details className="special request">
      <summary>
        <span aria-hidden="true">{sign}</span> {name}
      </summary>
      <Markdown text={textOf(node)} />
    </details>
  );
}

function Summary({ node }: { node: Node }) {
  const { acts, cursor } = useTalking();
  const [read, setRead] = useState(false);
  const [compared, compare] = useState(false);
  const editing = useCursor(cursor, (state) => state.editing === node.id);
  const undone = node.pruned === true;
  const body = textOf(node);
  return (
    <section className={`special summary ${undone ? "undone" : ""}`} aria-label="Conversation Summary">
      <header className="row">
        <strong className="grow">
          <span aria-hidden="true">📌</span> Conversation Summary (Checkpoint)
        </strong>
        <Figures node={node} />
      </header>
      {undone && <p className="small soft">Undone: what it stood for is sent again.</p>}
      {node.status === "pending" ? (
        <Writing node={node.id} />
      ) : editing ? (
        <EditBox node={node} />
      ) : (
        <>
          {node.status === "error" && <p role="alert">✕ {node.error ?? "Stopped."} What was there holds.</p>}
          <div className={read ? "" : "folded"}>
            <Markdown text={body} />
          </div>
          <div className="row wraps">
            <Button aria-expanded={read} onClick={() => setRead(!read)}>
              {read ? "Fold" : "Read"}
            </Button>
            <Button onClick={() => compare(true)}>Compare</Button>
            <Button onClick={() => void acts.flag(node.id, "pruned", !undone)}>
              {undone ? "Use it again" : "Undo"}
            </Button>
          </div>
        </>
      )}
      {compared && <Compare summary={node} close={() => compare(false)} />}
    </section>
  );
}

/** An accounting line that a file brought along. */
function Told({ node }: { node: Node }) {
  const told = node.accounting;
  if (!told) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = told.cumulativeTokens;
  const soFar = {
    input: inputTokens,
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheCreationTokens,
  };
  const line = { node: node.id, reason: "told", words: told.reason, left: told.discardedMessages, soFar };
  return <Spent line={line} />;
}
