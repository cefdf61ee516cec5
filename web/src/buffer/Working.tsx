/** The text that is typed and not yet committed: it goes on where the document ends, underlined. */
import { type RefObject, useEffect } from "react";
import { useTyped } from "../space/draft";

interface Props {
  space: string;
  commit: () => void;
  field: RefObject<HTMLSpanElement | null>;
  first: boolean;
}

/** Browsers keep a last line open with a line break that nobody typed. */
export const read = (field: HTMLElement) => (field.textContent ?? "").replace(/\n$/, "");
const shown = (text: string) => (text.endsWith("\n") ? `${text}\n` : text);

export function Working({ space, commit, field, first }: Props) {
  const [text, write] = useTyped(space);
  useEffect(() => {
    const here = field.current;
    if (here && read(here) !== text) here.textContent = shown(text);
  }, [text, field]);
  return (
    <span
      ref={field}
      className={`working ${text ? "" : "bare"}`}
      contentEditable="plaintext-only"
      suppressContentEditableWarning
      role="textbox"
      tabIndex={0}
      aria-multiline="true"
      aria-label="Write on. Control and Enter commits."
      data-hint={first ? "Write a first sentence…" : "Write on…"}
      spellCheck
      onInput={(event) => write(read(event.currentTarget))}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.stopPropagation();
          commit();
        }
      }}
    />
  );
}
