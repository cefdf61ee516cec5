/** The pieces of a message: text, pictures, files, what a model thought, the tools it used. */
import type { ReactNode } from "react";
import { type Node, type Part, partsOf } from "../api/types";
import { Markdown } from "../ui/Markdown";
import type { ToolResult } from "./rows";
import { ToolUse } from "./ToolUse";

type Picture = Extract<Part, { type: "image" }>;
type File = Extract<Part, { type: "file" }>;

const inside = (part: Picture | File) =>
  "data" in part && part.data ? `data:${part.mediaType};base64,${part.data}` : null;

const web = (part: Picture | File) => ("url" in part && part.url && /^https?:\/\//i.test(part.url) ? part.url : null);

/** Types that a browser draws without running anything. */
const DRAWN = /^image\/(png|jpe?g|gif|webp|avif|bmp)$/i;

function Image({ part }: { part: Picture }) {
  const [data, url] = [inside(part), web(part)];
  const size = part.width && part.height ? ` ${part.width} × ${part.height}` : "";
  if (data && DRAWN.test(part.mediaType)) {
    return (
      <img className="said-image" src={data} alt={`Attached${size}`} width={part.width ?? undefined} loading="lazy" />
    );
  }
  return <Attached name={`picture (${part.mediaType})`} data={data} url={url} />;
}

function Attached({ name, data, url }: { name: string; data: string | null; url: string | null }) {
  if (data) {
    return (
      <a className="chip attached" href={data} download={name}>
        📎 <span className="cut">{name}</span>
      </a>
    );
  }
  if (url) {
    return (
      <a className="chip attached" href={url} target="_blank" rel="noopener noreferrer nofollow">
        📎 <span className="cut">{name}</span> ↗
      </a>
    );
  }
  return (
    <span className="chip attached" title="What it held is not here.">
      📎 <span className="cut">{name}</span>
    </span>
  );
}

export function Thought({ text, redacted, open }: { text: string; redacted?: boolean; open?: boolean }) {
  if (redacted || text === "")
    return <p className="soft small">The model thought; its provider keeps that to itself.</p>;
  return (
    <details className="thought" open={open}>
      <summary>Thoughts</summary>
      <Markdown text={text} />
    </details>
  );
}

export function Parts({ node, results }: { node: Node; results: readonly ToolResult[] }) {
  const drawn = partsOf(node).map((part, at) => {
    const key = `${at} ${part.type}`;
    return piece(part, key, results);
  });
  return <>{drawn}</>;
}

function piece(part: Part, key: string, results: readonly ToolResult[]): ReactNode {
  switch (part.type) {
    case "text":
      return <Markdown key={key} text={part.text} />;
    case "reasoning":
      return <Thought key={key} text={part.text} redacted={part.redacted} />;
    case "toolCall":
      return <ToolUse key={key} call={part} result={results.find((one) => one.id === part.id) ?? null} />;
    case "toolResult":
      return <ToolUse key={key} call={null} result={part} />;
    case "image":
      return <Image key={key} part={part} />;
    case "file":
      return <Attached key={key} name={part.name} data={inside(part)} url={web(part)} />;
  }
}
