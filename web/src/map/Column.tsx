/** One of two paths: which one it is, what is said on it after they part, and a way to take it. */
import { useMemo } from "react";
import type { Node, OnPath } from "../api/types";
import { useNames } from "../space/context";
import { Button, FaultBox, Spinner } from "../ui/controls";
import { count, when } from "../ui/numbers";
import { diff } from "./diff";
import type { Look } from "./paint";
import { Glyph } from "./people";
import { has, onOneLine, type Tree, type Twig, textOf, tips } from "./tree";

interface Props {
  title: string;
  tree: Tree;
  version: number;
  head: string;
  /** Your own head, if this is known to be it. */
  mine: string | null;
  nodes: OnPath[];
  versions: ReadonlyMap<string, Node>;
  /** Whether what is new here is marked, or what is gone. */
  newer: boolean;
  state: "loading" | "ready" | string;
  again: () => void;
  looks: (author: string) => Look;
  choose: (head: string) => void;
  take: () => void;
}

export function Column(props: Props) {
  const { title, tree, version, head, mine, nodes, versions, newer, state, again, looks, choose, take } = props;
  return (
    <section className="beside-column" aria-label={title}>
      <header>
        <HeadChoice label={title} tree={tree} version={version} head={head} mine={mine} choose={choose} />
        <Button look="main" disabled={head === mine} onClick={take}>
          {head === mine ? "Your path" : "Take this one"}
        </Button>
      </header>
      {state === "loading" && <Spinner />}
      {state !== "loading" && state !== "ready" && <FaultBox text={state} again={again} />}
      {state === "ready" && nodes.length === 0 && <p className="soft">Nothing after what both have in common.</p>}
      {nodes.map((said) => (
        <Said
          key={said.node.id}
          said={said}
          look={looks(said.node.author)}
          other={versions.get(said.node.id)}
          newer={newer}
        />
      ))}
      {state === "ready" && nodes.length > 0 && (
        <p className="soft small">{count(nodes.length, "message")} of its own</p>
      )}
    </section>
  );
}

interface SaidProps {
  said: OnPath;
  look: Look;
  other?: Node;
  newer?: boolean;
}

export function Said({ said: { node }, look, other, newer }: SaidProps) {
  const names = useNames();
  const text = textOf(node);
  return (
    <article className="beside-said" aria-label={names(node.author)}>
      <div className="row small soft">
        <Glyph look={look} />
        <span className="cut grow">{node.model ?? names(node.author)}</span>
        {other && <span>another version</span>}
        {node.bookmarked && <span title="bookmarked">★</span>}
        {node.excluded && <span>excluded</span>}
        {node.createdAt && <span>{when(node.createdAt)}</span>}
      </div>
      <div className="beside-text" dir="auto">
        {other ? (
          <Compared text={text} other={textOf(other)} newer={newer ?? false} />
        ) : (
          text || <em className="soft">no text</em>
        )}
      </div>
    </article>
  );
}

/** What is other in this version than in the other one. */
function Compared({ text, other, newer }: { text: string; other: string; newer: boolean }) {
  const all = useMemo(() => (newer ? diff(other, text) : diff(text, other)), [text, other, newer]);
  let at = 0;
  return all
    .filter((one) => one.what === "same" || one.what === (newer ? "new" : "gone"))
    .map((one) => {
      const key = at;
      at += one.text.length;
      if (one.what === "same") return <span key={key}>{one.text}</span>;
      return newer ? <ins key={key}>{one.text}</ins> : <del key={key}>{one.text}</del>;
    });
}

const MOST = 40;

interface ChoiceProps {
  label: string;
  tree: Tree;
  version: number;
  head: string;
  mine: string | null;
  choose: (head: string) => void;
}

function HeadChoice({ label, tree, version, head, mine, choose }: ChoiceProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  const [marked, ends] = useMemo(
    () => [[...tree.twigs.values()].filter((twig) => has(twig, "bookmarked")).slice(-MOST), tips(tree).slice(0, MOST)],
    [tree, version],
  );
  const known = [...marked, ...ends].some((twig) => twig.glance.id === head);
  const option = (twig: Twig) => (
    <option key={twig.glance.id} value={twig.glance.id}>
      {twig.glance.id === mine ? "⌂ " : ""}
      {onOneLine(twig.glance.text).slice(0, 60) || "no text"}
    </option>
  );
  return (
    <select className="input" aria-label={label} value={head} onChange={(event) => choose(event.target.value)}>
      {!known && tree.of(head) && option(tree.of(head)!)}
      {marked.length > 0 && <optgroup label="Bookmarks">{marked.map(option)}</optgroup>}
      <optgroup label="Where branches end">{ends.map(option)}</optgroup>
    </select>
  );
}
