/** The ways on from a place, or the versions of a segment, beside the text: to try, to take, to mark. */
import { useId, useRef } from "react";
import type { Look } from "../map/paint";
import { Glyph } from "../map/people";
import { has, type Twig } from "../map/tree";
import { useNames } from "../space/context";
import { Button, Icon } from "../ui/controls";
import { useChosenInView } from "../ui/view";
import { useSaid, useWords } from "./words";

interface Props {
  title: string;
  twigs: Twig[];
  /** The one that is shown in the text. */
  shown: string | null;
  tried: string | null;
  choose: (twig: Twig) => void;
  take: (twig: Twig) => void;
  mark: (twig: Twig) => void;
  look: (author: string) => Look;
}

const MOST = 50;

export function Ways({ title, twigs, shown, tried, choose, take, mark, look }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = tried ?? shown;
  const at = twigs.findIndex((twig) => twig.glance.id === active);
  useChosenInView(list, active);
  const acting = twigs[at];
  const press = (event: React.KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: twigs.length - 1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (to !== undefined) {
      const next = twigs[Math.max(0, Math.min(twigs.length - 1, to))];
      if (next) choose(next);
    } else if (event.key === "Enter" && twigs[at]) take(twigs[at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="ways" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {twigs.length === 0 && <p className="soft small">None yet. Ask for some, or write on yourself.</p>}
      <div
        ref={list}
        className="ways-list"
        role="listbox"
        tabIndex={0}
        aria-labelledby={id}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        onKeyDown={press}
      >
        {twigs.slice(0, MOST).map((twig, number) => (
          <Way
            key={twig.glance.id}
            id={`${id}-${number}`}
            number={number + 1}
            twig={twig}
            active={twig.glance.id === active}
            shown={twig.glance.id === shown}
            look={look(twig.glance.author)}
            choose={() => choose(twig)}
            take={() => take(twig)}
          />
        ))}
      </div>
      {twigs.length > MOST && <p className="soft small">And {twigs.length - MOST} more: the map shows all of them.</p>}
      {acting && (
        <div className="row">
          <Button look="main" disabled={acting.glance.id === shown} onClick={() => take(acting)}>
            Take number {at + 1}
          </Button>
          <Icon
            label={has(acting, "bookmarked") ? "Remove its bookmark" : "Bookmark it"}
            aria-pressed={has(acting, "bookmarked")}
            onClick={() => mark(acting)}
          >
            ★
          </Icon>
        </div>
      )}
    </section>
  );
}

interface WayProps {
  id: string;
  number: number;
  twig: Twig;
  active: boolean;
  shown: boolean;
  look: Look;
  choose: () => void;
  take: () => void;
}

function Way({ id, number, twig, active, shown, look, choose, take }: WayProps) {
  const names = useNames();
  const text = useWords(twig);
  const said = useSaid(twig).data?.node;
  const { status } = twig.glance;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={id}
      className="way"
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-busy={status === "pending" || undefined}
      onClick={choose}
      onDoubleClick={take}
    >
      <div className="row small soft">
        <span>{number}</span>
        <Glyph look={look} />
        <span className="cut grow">{said?.model ?? names(twig.glance.author)}</span>
        {has(twig, "bookmarked") && <span title="bookmarked">★</span>}
        {has(twig, "excluded") && <span>excluded</span>}
        {status === "error" && <span className="map-error">broke off</span>}
        {twig.children.length > 0 && !shown && <span>goes on</span>}
        {shown && <span>in the text</span>}
      </div>
      <div className="way-text" dir="auto">
        {text.trim() || <span className="soft">{status === "pending" ? "…" : said?.error || "Nothing came."}</span>}
      </div>
    </div>
  );
}
