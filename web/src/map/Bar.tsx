/** What can be done with the map as a whole. */
import { Button, Icon } from "../ui/controls";
import { count, number } from "../ui/numbers";
import { Menu } from "../ui/overlay";

interface Props {
  as: "picture" | "list";
  setAs: (as: "picture" | "list") => void;
  pruned: "shown" | "hidden";
  setPruned: (pruned: "shown" | "hidden") => void;
  fold: boolean;
  setFold: (on: boolean) => void;
  asked: string;
  ask: (text: string) => void;
  found: ReadonlySet<string> | null;
  size: number;
  zoom: (by: number) => void;
  fit: () => void;
  toHead: () => void;
  step: (by: 1 | -1) => void;
}

export function Bar(props: Props) {
  const { as, setAs, pruned, setPruned, fold, setFold, asked, ask, found, size, zoom, fit, toHead, step } = props;
  const picture = as === "picture";
  return (
    <div className="map-bar" role="toolbar" aria-label="Map">
      <div className="row map-as">
        <Button aria-pressed={picture} onClick={() => setAs("picture")}>
          Map
        </Button>
        <Button aria-pressed={!picture} onClick={() => setAs("list")}>
          List
        </Button>
      </div>
      <input
        className="input map-find"
        type="search"
        value={asked}
        placeholder={`Find in ${count(size, "message")}`}
        aria-label="Find in the tree"
        onChange={(event) => ask(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          } else if (event.key === "Escape" && asked) {
            event.stopPropagation();
            ask("");
          }
        }}
      />
      {found && (
        <>
          <span className="small soft" role="status">
            {found.size === 0 ? "nothing found" : `${number(found.size)} found`}
          </span>
          <Icon label="Next that was found" disabled={found.size === 0} onClick={() => step(1)}>
            ↓
          </Icon>
        </>
      )}
      <span className="grow" />
      {picture && (
        <>
          <Icon label="Smaller (−)" onClick={() => zoom(0.75)}>
            −
          </Icon>
          <Icon label="Larger (+)" onClick={() => zoom(1.33)}>
            +
          </Icon>
          <Button onClick={fit} title="All of it (0)">
            Fit
          </Button>
        </>
      )}
      <Button onClick={toHead} title="To my head (h)">
        ⌂ My head
      </Button>
      <Menu
        label="What is shown"
        button="⋯"
        choices={[
          {
            label: "Show what was pruned",
            pressed: pruned === "shown",
            act: () => setPruned(pruned === "shown" ? "hidden" : "shown"),
          },
          { label: "Fold long stretches", pressed: fold, act: () => setFold(!fold) },
        ]}
      />
    </div>
  );
}
