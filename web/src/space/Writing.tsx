/** A reply that is being written: the only thing that is drawn again when a word arrives. */
import { useDraft } from "../live/drafts";
import { Button } from "../ui/controls";
import { Markdown } from "../ui/Markdown";
import { Thought } from "./Parts";
import { useTalking } from "./talking";

export function Writing({ node }: { node: string }) {
  const { room, acts } = useTalking();
  const { text, reasoning } = useDraft(room.drafts, node);
  return (
    <div className="writing">
      {reasoning && <Thought text={reasoning} open={text === ""} />}
      {text && <Markdown text={text} />}
      <div className="row small soft">
        <span className="spinner" aria-hidden="true" />
        <span>{text || reasoning ? "writing" : "thinks"}</span>
        <Button className="small" onClick={() => void acts.stop(node)}>
          ◼ Stop
        </Button>
      </div>
    </div>
  );
}
