/**
 * Says what arrives to whoever listens instead of looking. The list itself is silent: scrolling it would read old messages
 * aloud, and a reply that is being written would be read word by word. Each message is told once, when it is whole.
 */
import { useEffect, useRef, useState } from "react";
import { useOpened } from "./context";
import { counts, textOf } from "./rows";
import { useTalking } from "./talking";

const MOST = 600;

export function Announcer() {
  const { state } = useOpened();
  const { me, nameOf } = useTalking();
  const [words, setWords] = useState("");
  const told = useRef<number | null>(null);
  const last = state.nodes.findLast((one) => one.node.status !== "pending");
  useEffect(() => {
    if (!last) return;
    if (told.current !== null && last.seq > told.current && counts(last.node, me)) {
      setWords(`${nameOf(last.node.author)}: ${textOf(last.node).slice(0, MOST)}`);
    }
    told.current = Math.max(told.current ?? 0, last.seq);
  }, [last, me, nameOf]);
  return (
    <div className="unseen" role="status" aria-live="polite">
      {words}
    </div>
  );
}
