/** One message: who said it and when, what it says, what became of it, what can be done with it. */
import { memo } from "react";
import type { Node } from "../api/types";
import { Avatar, Button, Chip } from "../ui/controls";
import { atClock, atFull } from "../ui/numbers";
import { ActsBar } from "./ActsBar";
import { Author } from "./Author";
import { useCursor } from "./cursor";
import { EditBox } from "./EditBox";
import { Figures } from "./Figures";
import { Edited, OriginNote, Quote, Remarks } from "./Notes";
import { Parts } from "./Parts";
import { inWords, type SaidRow } from "./rows";
import { Seen } from "./Seen";
import { isSpecial, Special } from "./Special";
import { useSwipe } from "./swipe";
import { useTalking } from "./talking";
import { Writing } from "./Writing";

function Marks({ node }: { node: Node }) {
  return (
    <>
      {node.pinned && (
        <Chip title="Always sent">
          <span aria-hidden="true">📌</span> pinned
        </Chip>
      )}
      {node.bookmarked && (
        <Chip title="To be found again">
          <span aria-hidden="true">🔖</span> bookmarked
        </Chip>
      )}
      {node.excluded && (
        <Chip tone="yellow" title="Models do not see it">
          <span aria-hidden="true">⊘</span> excluded
        </Chip>
      )}
    </>
  );
}

function Failed({ node }: { node: Node }) {
  const { acts, agent, kindOf } = useTalking();
  if (node.status !== "error") return null;
  const stopped = !node.error;
  return (
    <div className={`ended ${stopped ? "" : "fault"}`} role={stopped ? undefined : "alert"}>
      <span className="grow">{stopped ? "◼ Stopped. What came is kept." : `✕ ${node.error}`}</span>
      {agent && kindOf(node.author) === "agent" && (
        <>
          <Button onClick={() => void acts.retry(node.id)}>↻ Retry</Button>
          {stopped && <Button onClick={() => void acts.goOn(node.id)}>Continue</Button>}
        </>
      )}
    </div>
  );
}

function Body({ row }: { row: SaidRow }) {
  const { node } = row.said;
  const { cursor } = useTalking();
  const editing = useCursor(cursor, (state) => state.editing === node.id);
  if (editing) return <EditBox node={node} />;
  if (node.purged) return <p className="soft">Its content was taken out for good.</p>;
  if (node.status === "pending") return <Writing node={node.id} />;
  return (
    <>
      <Parts node={node} results={row.results} />
      <Failed node={node} />
    </>
  );
}

/** What was deleted leaves a line, so that it can come back. */
function Gone({ node }: { node: Node }) {
  const { acts, nameOf } = useTalking();
  return (
    <div className="gone soft small">
      <span>A message of {nameOf(node.author)} was deleted. It is hidden and not sent.</span>
      <Button className="small" onClick={() => void acts.flag(node.id, "pruned", false)}>
        Bring it back
      </Button>
    </div>
  );
}

interface Props {
  row: SaidRow;
  /** Gone to by its address. */
  lit: boolean;
}

export const Message = memo(function Message({ row, lit }: Props) {
  const { said, out } = row;
  const { node } = said;
  const { turn, cursor, nameOf, kindOf, me } = useTalking();
  const chosen = useCursor(cursor, (state) => state.at === node.id);
  const pending = node.status === "pending";
  const classes = ["said"];
  if (lit) classes.push("lit");
  if (node.excluded) classes.push("excluded");
  if (out) classes.push("out");
  const special = isSpecial(node);
  const swipe = useSwipe((step) => turn(said, step));
  return (
    <article
      className={classes.join(" ")}
      data-node={node.id}
      tabIndex={chosen ? 0 : -1}
      aria-busy={pending}
      aria-current={lit ? "true" : undefined}
      aria-label={`${node.author === me ? "You" : nameOf(node.author)}${node.createdAt ? `, ${atClock(node.createdAt)}` : ""}`}
      {...(said.siblings > 1 ? swipe : {})}
      onFocus={() => cursor.state.at !== node.id && cursor.set({ at: node.id })}
    >
      {node.pruned && !special ? (
        <Gone node={node} />
      ) : special ? (
        <Special row={row} />
      ) : (
        <>
          <Avatar name={nameOf(node.author)} agent={kindOf(node.author) === "agent"} />
          <div className="said-main">
            <header className="said-head">
              <Author id={node.author} node={node} />
              {node.createdAt && (
                <time className="soft small" dateTime={node.createdAt} title={atFull(node.createdAt)}>
                  {atClock(node.createdAt)}
                </time>
              )}
              <Marks node={node} />
              {node.editedFrom && <Edited from={node.editedFrom} />}
              {out && out !== "excluded" && (
                <Chip title="The next request does not hold it">not sent: {inWords(out)}</Chip>
              )}
              <span className="grow" />
              <Figures node={node} />
            </header>
            {node.origin && <OriginNote origin={node.origin} />}
            {node.replyTo && <Quote id={node.replyTo} quoted={row.quoted} />}
            <div className="said-body">
              <Body row={row} />
            </div>
            <Remarks remarks={row.remarks} />
            <Seen said={said} />
          </div>
        </>
      )}
      {!pending && <ActsBar row={row} />}
    </article>
  );
}, sameRow);

function sameRow(one: Props, other: Props): boolean {
  const [a, b] = [one.row, other.row];
  const same = <T,>(x: readonly T[], y: readonly T[]) => x.length === y.length && x.every((it, at) => it === y[at]);
  return (
    one.lit === other.lit &&
    a.said === b.said &&
    a.out === b.out &&
    a.quoted === b.quoted &&
    same(a.results, b.results) &&
    same(a.remarks, b.remarks)
  );
}
