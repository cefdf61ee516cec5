/** A summary beside what it stands for. */
import { useEffect, useMemo, useState } from "react";
import type { Node } from "../api/types";
import { Spinner } from "../ui/controls";
import { Markdown } from "../ui/Markdown";
import { count } from "../ui/numbers";
import { Dialog } from "../ui/overlay";
import { attempt } from "../ui/toasts";
import { Author } from "./Author";
import { useOpened } from "./context";
import { coveredBy } from "./covered";
import { textOf } from "./rows";

const MOST = 200;

export function Compare({ summary, close }: { summary: Node; close: () => void }) {
  const { room, state } = useOpened();
  const [loaded, setLoaded] = useState(!state.earlier);
  useEffect(() => {
    void attempt(async () => {
      // What it covers begins at the root, or at the summary before it.
      while (room.state.earlier && room.state.nodes.length < 2000) await room.grow();
      setLoaded(true);
    });
  }, [room]);
  const covered = useMemo(
    () =>
      coveredBy(
        summary,
        state.nodes.map((one) => one.node),
      ),
    [summary, state.nodes],
  );
  return (
    <Dialog title="The summary, and what it stands for" wide close={close}>
      <div className="compared">
        <section aria-label="Summary">
          <h3>Summary</h3>
          <Markdown text={textOf(summary)} />
        </section>
        <section aria-label="What it stands for">
          <h3>{loaded ? count(covered.length, "message") : <Spinner />}</h3>
          {covered.length > MOST && <p className="soft small">The last {MOST} are shown.</p>}
          {covered.slice(-MOST).map((node) => (
            <div key={node.id} className="compared-one">
              <Author id={node.author} />
              <Markdown text={textOf(node)} />
            </div>
          ))}
        </section>
      </div>
    </Dialog>
  );
}
