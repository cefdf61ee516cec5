/** Something that was sent from here and is on its way, or could not be sent. Its words are never lost. */
import { Avatar, Button } from "../ui/controls";
import { Markdown } from "../ui/Markdown";
import { Author } from "./Author";
import { focusComposer } from "./choices";
import { draftOf, writeDraft } from "./draft";
import { discard, sendAgain, type Unsent } from "./outbox";
import { useTalking } from "./talking";

export function UnsentMessage({ unsent }: { unsent: Unsent }) {
  const { room, me, nameOf } = useTalking();
  const { body, fault, state, key } = unsent;
  const back = () => {
    writeDraft(room.id, [body.text, draftOf(room.id)].filter(Boolean).join("\n"));
    discard(room.id, key);
    focusComposer();
  };
  return (
    <article className="said unsent" aria-label="Your message, not yet sent" aria-busy={state === "sending"}>
      <Avatar name={nameOf(me)} />
      <div className="said-main">
        <header className="said-head">
          <Author id={me} />
          <span className="soft small">{state === "sending" ? "on its way…" : "not sent"}</span>
        </header>
        <Markdown text={body.text} />
        {(body.parts?.length ?? 0) > 0 && <p className="soft small">📎 {body.parts?.length}</p>}
        {state === "failed" && (
          <div className="ended fault" role="alert">
            <span className="grow">✕ {fault}</span>
            <Button look="main" onClick={() => void sendAgain(room, unsent)}>
              Send again
            </Button>
            {(body.parts?.length ?? 0) === 0 && <Button onClick={back}>Edit</Button>}
            <Button onClick={() => discard(room.id, key)}>Discard</Button>
          </div>
        )}
      </div>
    </article>
  );
}
