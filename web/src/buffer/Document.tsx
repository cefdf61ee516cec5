/** The text: all segments of the path as one document, what is tried behind them, and the place to write on. */
import { memo, type RefObject, useEffect, useMemo, useRef } from "react";
import type { OnPath } from "../api/types";
import { useDraft } from "../live/drafts";
import { TINTS } from "../map/colours";
import type { Look } from "../map/paint";
import { type Twig, textOf } from "../map/tree";
import { useNames, useOpened } from "../space/context";
import { Button } from "../ui/controls";
import { blocks } from "./blocks";
import { useWords } from "./words";

interface Props {
  /** What is shown of the path: all of it, or up to where something else is tried. */
  nodes: OnPath[];
  tried: Twig | null;
  chosen: string | null;
  choose: (node: string | null) => void;
  look: (author: string) => Look;
  children: React.ReactNode;
  scroller: RefObject<HTMLDivElement | null>;
  focusWriting: () => void;
  /** Takes what is tried. */
  take: () => void;
}

export function Document({ nodes, tried, chosen, choose, look, children, scroller, focusWriting, take }: Props) {
  const { room, state } = useOpened();
  const names = useNames();
  const pieces: Shown[] = useMemo(
    () => nodes.map((said) => ({ id: said.node.id, text: textOf(said.node), said })),
    [nodes],
  );
  const all = useMemo(() => blocks(pieces), [pieces]);
  const body = useRef<HTMLDivElement>(null);
  useEarlier(scroller, body);
  useEffect(() => {
    if (chosen)
      body.current?.querySelector(`[data-node="${CSS.escape(chosen)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const at = pieces.findIndex((piece) => piece.id === chosen);
  const press = (event: React.KeyboardEvent) => {
    if ((event.target as Element).closest("[contenteditable]") || event.altKey || event.ctrlKey || event.metaKey)
      return;
    if (event.key === "Enter" && tried) {
      event.preventDefault();
      take();
      return;
    }
    const from = at < 0 ? pieces.length : at;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: pieces.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(pieces[Math.max(0, Math.min(pieces.length - 1, to))]?.id ?? null);
  };
  const click = (event: React.MouseEvent) => {
    const target = event.target as Element;
    if (target.closest("[contenteditable], button, textarea") || !getSelection()?.isCollapsed) return;
    const node = target.closest<HTMLElement>("[data-node]")?.dataset.node ?? null;
    if (node) choose(node === chosen ? null : node);
    else focusWriting();
  };
  const said = at >= 0 ? nodes[at] : undefined;
  return (
    <div className="loom-scroll" ref={scroller}>
      {state.earlier && (
        <Button className="loom-earlier" onClick={() => void room.grow()}>
          What comes before
        </Button>
      )}
      <div
        ref={body}
        className="loom-text"
        role="document"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows walk from segment to segment
        tabIndex={0}
        aria-label="The text. Left and right arrows go from segment to segment."
        onKeyDown={press}
        onClick={click}
      >
        {all.map((block) => (
          <Block
            key={block[0]!.id}
            block={block}
            chosen={chosen && block.some((piece) => piece.id === chosen) ? chosen : null}
            look={look}
          />
        ))}
        {tried && <Ghost twig={tried} />}
        {children}
      </div>
      <p className="unseen" role="status">
        {said && `Segment by ${names(said.node.author)}, version ${said.place} of ${said.siblings}.`}
      </p>
    </div>
  );
}

interface Shown {
  id: string;
  text: string;
  said: OnPath;
}

/** What is typed, chosen or tried elsewhere does not touch it. */
const Block = memo(function Block({
  block,
  chosen,
  look,
}: {
  block: Shown[];
  chosen: string | null;
  look: Props["look"];
}) {
  return (
    <div className="loom-block" dir="auto">
      {block.map(({ said, text }) => (
        <Segment
          key={said.node.id}
          said={said}
          text={text}
          chosen={said.node.id === chosen}
          look={look(said.node.author)}
        />
      ))}
    </div>
  );
});

const Segment = memo(function Segment({
  said,
  text,
  chosen,
  look,
}: {
  said: OnPath;
  text: string;
  chosen: boolean;
  look: Look;
}) {
  const { room } = useOpened();
  const { node } = said;
  const draft = useDraft(room.drafts, node.id);
  const pending = node.status === "pending";
  const marks = [
    node.bookmarked ? "★" : "",
    node.excluded ? "◌" : "",
    node.pinned ? "📌" : "",
    node.status === "error" ? "⚠" : "",
  ].join("");
  const names = `${look.shape} ${chosen ? "chosen" : ""} ${node.excluded ? "excluded" : ""} ${pending ? "pending" : ""}`;
  return (
    <span
      className={`segment ${names}`}
      data-node={node.id}
      data-tint={TINTS[look.tint % TINTS.length]}
      aria-busy={pending || undefined}
      title={said.siblings > 1 ? `Version ${said.place} of ${said.siblings}` : undefined}
    >
      {marks && (
        <span className="segment-marks" aria-hidden="true">
          {marks}
        </span>
      )}
      {pending ? draft.text || "…" : text}
    </span>
  );
});

/** What would come next. */
function Ghost({ twig }: { twig: Twig }) {
  const text = useWords(twig);
  return (
    <span className="ghost">
      <span className="unseen">Tried: </span>
      {text || "…"}
    </span>
  );
}

/** Earlier segments come when one scrolls up to them, and the text stays where it is. */
function useEarlier(scroller: RefObject<HTMLDivElement | null>, body: RefObject<HTMLDivElement | null>) {
  const { room, state } = useOpened();
  const { earlier } = state;
  useEffect(() => {
    const pane = scroller.current;
    if (!pane || !earlier) return;
    let growing = false;
    const scrolled = async () => {
      if (pane.scrollTop > 300 || growing) return;
      growing = true;
      const before = pane.scrollHeight - pane.scrollTop;
      await room.grow().catch(() => {});
      requestAnimationFrame(() => {
        pane.scrollTop = pane.scrollHeight - before;
        growing = false;
      });
    };
    pane.addEventListener("scroll", scrolled);
    return () => pane.removeEventListener("scroll", scrolled);
  }, [room, earlier, scroller]);
  // A text is opened at its end: there one writes on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each room
  useEffect(() => {
    const pane = scroller.current;
    const opened = requestAnimationFrame(() => pane?.scrollTo({ top: body.current?.scrollHeight ?? 0 }));
    return () => cancelAnimationFrame(opened);
  }, [room]);
}
