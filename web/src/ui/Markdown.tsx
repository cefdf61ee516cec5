/**
 * Text that people and models wrote, as Markdown.
 *
 * It becomes elements, never HTML: markup in it stays text. Links open elsewhere, tell nothing of where they were, and lead to
 * web addresses only. Pictures are not fetched: their address is shown to whoever asks for it.
 */
import { memo, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import "./markdown.css";

/** A web address, a mail address, or nothing. */
function safe(address: string): string {
  try {
    const { protocol } = new URL(address, "https://relative.invalid");
    return ["http:", "https:", "mailto:"].includes(protocol) ? address : "";
  } catch {
    return "";
  }
}

/** A picture is never fetched by itself: another host would learn who reads this and when, and an address here may be anything. */
function Picture({ src, alt }: { src?: string; alt?: string }) {
  const [wanted, want] = useState(false);
  if (!src) return <span className="soft">[picture: {alt}]</span>;
  return wanted ? (
    <a href={src} target="_blank" rel="noopener noreferrer nofollow">
      {src}
    </a>
  ) : (
    <button type="button" className="button small" onClick={() => want(true)} title={src}>
      🖼 {alt || "picture"} from {host(src)}: show its address
    </button>
  );
}

function host(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return "elsewhere";
  }
}

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => <Picture src={typeof src === "string" ? src : undefined} alt={alt} />,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="scrolls" tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

const plugins = [remarkGfm];

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={safe} skipHtml={false}>
      {text}
    </ReactMarkdown>
  );
});

/** Cuts between paragraphs outside code fences, so that a reply that grows parses only its last piece again. */
export function blocks(text: string): string[] {
  const all: string[] = [];
  let open: string | null = null;
  let block: string[] = [];
  for (const line of text.split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence && !open) open = fence[0]!.repeat(3);
    else if (fence && open && fence.startsWith(open)) open = null;
    const ends = !open && line.trim() === "" && block.length > 0;
    // Lists and quotes may go on after a blank line: they stay one piece.
    if (ends && !/^( {0,3}([-*+>]|\d+[.)])| {2,})/.test(block[0] ?? "")) {
      all.push(block.join("\n"));
      block = [];
    } else block.push(line);
  }
  if (block.length > 0) all.push(block.join("\n"));
  return all;
}

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown" dir="auto">
      {blocks(text).map((block, at) => (
        <Block key={at} text={block} />
      ))}
    </div>
  );
});
