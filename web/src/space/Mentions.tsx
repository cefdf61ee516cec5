/** Names behind an @, completed from who is here. */
import { type RefObject, useId, useState } from "react";
import { begun } from "./begun";
import { useTalking } from "./talking";

const MOST = 8;

export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
) {
  const { members, me } = useTalking();
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const id = useId();
  const word = caret === null ? null : begun(text, caret);
  const found = word
    ? members
        .filter((one) => one.id !== me && one.name.toLowerCase().startsWith(word.typed.toLowerCase()))
        .sort((one, other) => Number(other.type === "agent") - Number(one.type === "agent"))
        .slice(0, MOST)
    : [];
  const chosen = Math.min(at, found.length - 1);
  const take = (name: string) => {
    if (!word || caret === null) return;
    const end = word.from + name.length + 2;
    setText(`${text.slice(0, word.from)}@${name} ${text.slice(caret)}`);
    setCaret(null);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(end, end);
    });
  };
  const pressed = (event: React.KeyboardEvent): boolean => {
    if (found.length === 0) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((chosen + step + found.length) % found.length);
    else if (event.key === "Enter" || event.key === "Tab") take(found[chosen]!.name);
    else if (event.key === "Escape") setCaret(null);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    found,
    chosen,
    take,
    pressed,
    id,
    moved: () => {
      setCaret(field.current?.selectionStart ?? null);
      setAt(0);
    },
    aria:
      found.length > 0
        ? ({ "aria-autocomplete": "list", "aria-controls": id, "aria-activedescendant": `${id}-${chosen}` } as const)
        : {},
  };
}

export function MentionList({ mentions }: { mentions: ReturnType<typeof useMentions> }) {
  const { found, chosen, id, take } = mentions;
  if (found.length === 0) return null;
  return (
    <div className="mentions" role="listbox" id={id} aria-label="Who is here">
      {found.map((one, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field beside it hears the keys
        <div
          key={one.id}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(one.name)}
        >
          <span className="cut grow">@{one.name}</span> <span className="soft small">{one.type}</span>
        </div>
      ))}
    </div>
  );
}
