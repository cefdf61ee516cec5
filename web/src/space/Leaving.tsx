/** Taking a space along as a file, and leaving it. */
import { useNavigate } from "@tanstack/react-router";
import { api, done } from "../api/client";
import { Button } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { attempt } from "../ui/toasts";
import { useOpened } from "./context";
import { useTalking } from "./talking";

const FORMATS = [
  { to: "weft", name: "Weft", says: "Everything: the whole tree, calls, flags. Can be imported again." },
  { to: "jsonl", name: "JSON lines", says: "Everything, one node in each line." },
  { to: "markdown", name: "Markdown", says: "Your path, to be read. Other branches are left out." },
  { to: "openai", name: "OpenAI messages", says: "Your path, as messages for other programs." },
] as const;

export function Export({ close }: { close: () => void }) {
  const { room } = useOpened();
  return (
    <Dialog title="Export" close={close}>
      <ul className="member-list">
        {FORMATS.map((one) => (
          <li key={one.to}>
            <span className="grow">
              <strong>{one.name}</strong>
              <div className="soft small">{one.says}</div>
            </span>
            <a
              className="button"
              href={`/api/spaces/${encodeURIComponent(room.id)}/export?to=${one.to}`}
              download
              aria-label={`Download as ${one.name}`}
            >
              ⤓ Download
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

export function Leave({ close }: { close: () => void }) {
  const { room, members, me } = useTalking();
  const navigate = useNavigate();
  const alone = members.filter((one) => one.type === "human").length === 1;
  const leave = () =>
    void attempt(async () => {
      await done(
        api.DELETE("/api/spaces/{space}/members/{entity}", { params: { path: { space: room.id, entity: me } } }),
      );
      close();
      await navigate({ to: "/" });
    });
  return (
    <Dialog
      title="Leave this space?"
      close={close}
      submit={leave}
      footer={
        <>
          <Button onClick={close}>Stay</Button>
          <Button look="danger" type="submit">
            Leave
          </Button>
        </>
      }
    >
      <p>
        You will not see it any more; what you said stays.{" "}
        {alone ? "Nobody else is here: no one could let you in again." : "Any member can let you in again."}
      </p>
    </Dialog>
  );
}
