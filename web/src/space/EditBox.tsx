/** A message said otherwise: it becomes a version beside the old one. */
import { useEffect, useRef, useState } from "react";
import { type Node, partsOf } from "../api/types";
import { Button } from "../ui/controls";
import { textOf } from "./rows";
import { useTalking } from "./talking";
import { withText } from "./withText";

export function EditBox({ node }: { node: Node }) {
  const { acts, cursor, kindOf } = useTalking();
  const [text, setText] = useState(textOf(node));
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  const close = () => {
    cursor.set({ editing: null });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-node="${CSS.escape(node.id)}"]`)?.focus());
  };
  const parts = withText(partsOf(node), text);
  const same = parts.length === 0 || text === textOf(node);
  const save = (answer: "reply" | "nobody") => {
    if (same) return;
    close();
    void acts.edit(node.id, parts, answer);
  };
  const asks = node.kind !== "summary" && kindOf(node.author) !== "agent";
  return (
    <form
      className="edit-box"
      onSubmit={(event) => {
        event.preventDefault();
        save("reply");
      }}
    >
      <textarea
        ref={field}
        className="input"
        aria-label="Say it otherwise"
        rows={Math.min(14, text.split("\n").length + 1)}
        value={text}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            close();
          } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            save("reply");
          }
        }}
      />
      <div className="row wraps">
        <Button look="main" type="submit" disabled={same}>
          {asks ? "Send as a branch" : "Save as a version"}
        </Button>
        {asks && (
          <Button disabled={same} title="A version that nobody answers" onClick={() => save("nobody")}>
            Save here
          </Button>
        )}
        <Button onClick={close}>Cancel</Button>
        <span className="soft small">
          {asks
            ? "The old message stays beside it; a reply begins unless it is only saved."
            : node.kind === "summary"
              ? "It stands for the same messages from now on."
              : "The old reply stays beside it; nothing is asked."}
        </span>
      </div>
    </form>
  );
}
