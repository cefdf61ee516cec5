/** What hangs on a message: what it replies to, why it was said here, what it was before, what others remarked. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, done, type Schemas } from "../api/client";
import type { Node, SaidNode } from "../api/types";
import { Markdown } from "../ui/Markdown";
import { atClock } from "../ui/numbers";
import { Dialog } from "../ui/overlay";
import { attempt } from "../ui/toasts";
import { Author } from "./Author";
import { useLook } from "./context";
import { textOf } from "./rows";
import { useTalking } from "./talking";

export function Quote({ id, quoted }: { id: string; quoted: Node | null }) {
  const { nameOf } = useTalking();
  const [, look] = useLook();
  return (
    <button type="button" className="quote" onClick={() => look({ node: id })} title="Go to it">
      <span aria-hidden="true">↩</span> <span className="unseen">Replies to</span>
      {quoted ? (
        <>
          <strong>{nameOf(quoted.author)}</strong> <span className="cut">{textOf(quoted)}</span>
        </>
      ) : (
        <span>an earlier message</span>
      )}
    </button>
  );
}

export function OriginNote({ origin }: { origin: Schemas["Origin"] }) {
  const place = origin.spaceName || "another space";
  return (
    <p className="origin small soft">
      sent from{" "}
      {origin.space ? (
        <Link to="/s/$space" params={{ space: origin.space }}>
          {place}
        </Link>
      ) : (
        place
      )}{" "}
      because {origin.senderName} asked: <span title={origin.message}>“{origin.message.split("\n")[0]}”</span>
    </p>
  );
}

/** "edited", and on demand what it was before. */
export function Edited({ from }: { from: string }) {
  const { room } = useTalking();
  const [old, setOld] = useState<SaidNode | null>(null);
  const show = () =>
    void attempt(async () =>
      setOld(
        await done(api.GET("/api/spaces/{space}/nodes/{node}", { params: { path: { space: room.id, node: from } } })),
      ),
    );
  return (
    <>
      <button type="button" className="link small soft" onClick={show} title="Show what it was">
        edited
      </button>
      {old && (
        <Dialog title="What it was" close={() => setOld(null)}>
          <p className="soft small">
            <Author id={old.node.author} /> {old.node.createdAt && atClock(old.node.createdAt)}
          </p>
          <Markdown text={textOf(old.node)} />
        </Dialog>
      )}
    </>
  );
}

export function Remarks({ remarks }: { remarks: readonly SaidNode[] }) {
  if (remarks.length === 0) return null;
  return (
    <ul className="remarks" aria-label="Remarks">
      {remarks.map(({ node }) => (
        <li key={node.id}>
          <span aria-hidden="true">✎</span> <Author id={node.author} /> <Markdown text={textOf(node)} />
        </li>
      ))}
    </ul>
  );
}
