/** The place to say something. What is written here is kept until it is sent. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button, Icon } from "../ui/controls";
import { Attachments, useAttachments } from "./Attachments";
import { useOpened } from "./context";
import { useCursor } from "./cursor";
import { useTyped } from "./draft";
import { howOf } from "./how";
import { MentionList, useMentions } from "./Mentions";
import { send } from "./outbox";
import { Ring } from "./Ring";
import { textOf } from "./rows";
import { Sampler } from "./Sampler";
import { useTalking } from "./talking";

const MOST_BYTES = 65_536;
const bytes = (text: string) => new TextEncoder().encode(text).length;

/** A field that is as high as what is in it, up to a point. */
function useHeight(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured when the text changes
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight + 2, innerHeight * 0.4)}px`;
  }, [text]);
  return field;
}

function ReplyChip() {
  const { cursor, nameOf } = useTalking();
  const { state } = useOpened();
  const id = useCursor(cursor, (at) => at.replyTo);
  const node = id ? state.nodes.find((one) => one.node.id === id)?.node : undefined;
  if (!node) return null;
  return (
    <div className="reply-chip small">
      <span aria-hidden="true">↩</span> Replies to <strong>{nameOf(node.author)}</strong>
      <span className="cut grow soft">{textOf(node)}</span>
      <Icon label="Reply to nothing" onClick={() => cursor.set({ replyTo: null })}>
        ✕
      </Icon>
    </div>
  );
}

export function Composer({ sent }: { sent: () => void }) {
  const talking = useTalking();
  const { room, chat, cursor, agent } = talking;
  const { state } = useOpened();
  const [text, setText] = useTyped(room.id);
  const field = useHeight(text);
  const attachments = useAttachments();
  const mentions = useMentions(field, text, setText);
  const [expects, setExpects] = useState(false);
  const [afresh, setAfresh] = useState(false);
  const name = state.space?.name || "this space";
  const writing = chat ? state.nodes.findLast((one) => one.node.status === "pending")?.node.id : undefined;
  const long = bytes(text) > MOST_BYTES;
  const nothing = attachments.reading || (text.trim() === "" && attachments.parts.length === 0);
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, [field]);

  const go = (run: boolean) => {
    if (nothing || long) return;
    const replyTo = cursor.state.replyTo;
    const replies = chat || (run && agent !== null);
    void send(room, {
      text,
      parts: attachments.parts,
      ...(replyTo && !replies ? { replyTo } : {}),
      ...(replies ? { how: howOf(room.id), afresh, ...(chat ? {} : { answer: "reply" as const }) } : {}),
      ...(expects && !chat ? { expectsReply: true } : {}),
    });
    setText("");
    attachments.clear();
    setAfresh(false);
    setExpects(false);
    cursor.set({ replyTo: null });
    sent();
  };
  return (
    <div className="composer" role="form" aria-label="Say something" {...(chat ? attachments.drop : {})}>
      <ReplyChip />
      {afresh && (
        <div className="reply-chip small">
          <span className="grow">✂ The conversation begins afresh with this message: nothing before it is sent.</span>
          <Icon label="Go on as before" onClick={() => setAfresh(false)}>
            ✕
          </Icon>
        </div>
      )}
      <Attachments attachments={attachments} />
      <div className="composer-box">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          placeholder={chat && agent ? `Say something to ${agent.name}…` : `Message ${name}…`}
          aria-label={`Message ${name}`}
          {...mentions.aria}
          onChange={(event) => {
            setText(event.target.value);
            mentions.moved();
          }}
          onSelect={mentions.moved}
          onPaste={chat ? attachments.paste : undefined}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || mentions.pressed(event)) return;
            if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
              event.preventDefault();
              go(event.ctrlKey || event.metaKey);
            } else if (event.key === "Escape") {
              if (writing) void talking.acts.stop(writing);
              else field.current?.blur();
            }
          }}
        />
        <MentionList mentions={mentions} />
        <div className="composer-foot">
          {chat && (
            <>
              <Icon label="Attach pictures or files" onClick={attachments.choose}>
                📎
              </Icon>
              <Sampler />
              <Icon
                label="Begin afresh: nothing before the next message is sent"
                aria-pressed={afresh}
                onClick={() => setAfresh(!afresh)}
              >
                ✂
              </Icon>
            </>
          )}
          {!chat && (
            <label className="row small expects" title="Agents are told that you wait for a reply">
              <input type="checkbox" checked={expects} onChange={(event) => setExpects(event.target.checked)} /> expects
              a reply
            </label>
          )}
          <span className="grow" />
          {long && (
            <span className="small fault" role="alert">
              {bytes(text) - MOST_BYTES} bytes too long: send it in parts
            </span>
          )}
          <Ring text={text} />
          {writing ? (
            <Button onClick={() => void talking.acts.stop(writing)} title="Stop the reply (Esc)">
              ◼ Stop
            </Button>
          ) : null}
          <Button
            look="main"
            disabled={nothing || long}
            onClick={() => go(false)}
            title="Send (Enter); Shift Enter for a new line"
          >
            Send
          </Button>
        </div>
      </div>
    </div>
  );
}
