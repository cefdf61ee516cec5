/** What asks for more text: how many ways, which model; stop; take the text along. */
import { useLook, useOpened } from "../space/context";
import { Sampler } from "../space/Sampler";
import { Button } from "../ui/controls";
import { Menu } from "../ui/overlay";
import { type Loom, MOST_WAYS } from "./loom";
import { copyAll, saveAll } from "./whole";

interface Props {
  loom: Loom;
  fixed: boolean;
  /** How many stand beside the text. */
  beside: number;
  /** On a narrow screen: whether the ways are shown instead of the text. */
  wide: boolean;
  setWide: (on: boolean) => void;
}

export function LoomBar({ loom, fixed, beside, wide, setWide }: Props) {
  const { room, state } = useOpened();
  const [, look] = useLook();
  const { head } = state;
  return (
    <div className="loom-bar" role="toolbar" aria-label="Loom">
      {!fixed && (
        <>
          <Button
            look="main"
            disabled={loom.busy || head === null}
            onClick={() => void loom.generate()}
            title="Alt Space, or g"
          >
            {loom.amount === 1 ? "Go on" : `${loom.amount} ways on`}
          </Button>
          <label className="row small">
            <span className="unseen">How many ways on</span>
            <select
              className="input loom-amount"
              value={loom.amount}
              onChange={(event) => loom.setAmount(Number(event.target.value))}
            >
              {Array.from({ length: MOST_WAYS }, (_, at) => (
                <option key={at + 1}>{at + 1}</option>
              ))}
            </select>
          </label>
          <Sampler />
          {loom.writing.length > 0 && (
            <Button onClick={() => void loom.stop()} title="Escape">
              Stop {loom.writing.length > 1 ? `all ${loom.writing.length}` : ""}
            </Button>
          )}
        </>
      )}
      <span className="grow" />
      <Button className="loom-switch" aria-pressed={wide} onClick={() => setWide(!wide)}>
        {wide ? "Text" : `Ways (${beside})`}
      </Button>
      <Menu
        label="Take the text along"
        button="⋯"
        choices={[
          { label: "Copy the whole text", hint: "y", disabled: !head, act: () => void copyAll(room.id, head) },
          {
            label: "Save it as a file",
            disabled: !head,
            act: () => void saveAll(room.id, head, state.space?.name ?? ""),
          },
          { label: "Map of all ways", hint: "m", act: () => look({ map: true }) },
        ]}
      />
    </div>
  );
}
