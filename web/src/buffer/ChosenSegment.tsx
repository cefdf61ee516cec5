/** What can be done with the segment that is chosen: other versions, end here, say it otherwise, mark it. */
import { useEffect, useState } from "react";
import type { OnPath } from "../api/types";
import { textOf } from "../map/tree";
import type { Talking } from "../space/talking";
import { Button, Icon } from "../ui/controls";

interface Props {
  said: OnPath;
  talking: Talking;
  end: () => void;
  /** Goes to the version before or after. */
  turn: (by: 1 | -1) => void;
  isEnd: boolean;
  editing: boolean;
  setEditing: (on: boolean) => void;
  close: () => void;
}

export function ChosenSegment({ said, talking, end, turn, isEnd, editing, setEditing, close }: Props) {
  const { node, place, siblings } = said;
  const { acts, nameOf, kindOf } = talking;
  return (
    <section className="loom-chosen" aria-label="The chosen segment">
      <div className="row">
        <strong className="grow cut">{node.model ?? nameOf(node.author)}</strong>
        {siblings > 1 && (
          <>
            <Icon label="Version before" disabled={place === 1} onClick={() => turn(-1)}>
              ‹
            </Icon>
            <span className="small">
              {place}/{siblings}
            </span>
            <Icon label="Version after" disabled={place === siblings} onClick={() => turn(1)}>
              ›
            </Icon>
          </>
        )}
        <Icon label="Choose nothing" onClick={close}>
          ✕
        </Icon>
      </div>
      {editing ? (
        <Otherwise
          text={textOf(node)}
          hint={kindOf(node.author) === "agent" ? null : "The model goes on from your words at once."}
          save={(text) => {
            setEditing(false);
            void acts.edit(node.id, [{ type: "text", text }], "nobody");
          }}
          close={() => setEditing(false)}
        />
      ) : (
        <div className="map-acts">
          <Button disabled={isEnd} onClick={end} title="What comes after stays, as a way on">
            End the text here
          </Button>
          <Button onClick={() => setEditing(true)}>Say it otherwise</Button>
          <Button
            aria-pressed={node.bookmarked === true}
            onClick={() => void acts.flag(node.id, "bookmarked", !node.bookmarked)}
          >
            ★ {node.bookmarked ? "Bookmarked" : "Bookmark"}
          </Button>
          <Button
            aria-pressed={node.excluded === true}
            onClick={() => void acts.flag(node.id, "excluded", !node.excluded)}
          >
            ◌ {node.excluded ? "Excluded" : "Exclude"}
          </Button>
        </div>
      )}
      {node.error && <p className="small map-error">{node.error}</p>}
    </section>
  );
}

interface OtherwiseProps {
  text: string;
  hint: string | null;
  save: (text: string) => void;
  close: () => void;
}

function Otherwise({ text, hint, save, close }: OtherwiseProps) {
  const [next, setNext] = useState(text);
  useEffect(() => setNext(text), [text]);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (next.trim() && next !== text) save(next);
        else close();
      }}
    >
      <textarea
        className="input"
        rows={6}
        value={next}
        // biome-ignore lint/a11y/noAutofocus: somebody asked to write here
        autoFocus
        aria-label="Another version of this segment"
        onChange={(event) => setNext(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            close();
          } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        }}
      />
      {hint && <p className="small soft">{hint}</p>}
      <div className="row">
        <Button look="main" type="submit">
          Save as a version
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
