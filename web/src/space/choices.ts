/** Which acts a message allows here, for its bar, its menu and the keys. */
import { isOwner, useMe } from "../shell/me";
import { copy } from "../ui/hand";
import type { Choice } from "../ui/overlay";
import type { QuickChoice } from "./ActsBar";
import { useLook } from "./context";
import { ledgerOf } from "./ledger";
import { type SaidRow, textOf } from "./rows";
import { type Talking, useTalking } from "./talking";

type Look = ReturnType<typeof useLook>[1];

/** The call that made it; of what agents said in runs, what they would be sent now. */
function inspect({ room, kindOf }: Talking, row: SaidRow, look: Look) {
  const { node } = row.said;
  const call = ledgerOf(room.id).of(node.id);
  if (call) look({ inspect: "window", call: call.id, as: undefined });
  else if (kindOf(node.author) === "agent") look({ inspect: "window", as: node.author, call: undefined });
  else look({ inspect: "why", call: undefined });
}

export function focusComposer() {
  document.querySelector<HTMLTextAreaElement>(".composer-box > textarea")?.focus();
}

/** All acts by name; what is not possible here is missing. */
export function choicesOf(talking: Talking, row: SaidRow, look: Look, owner: boolean) {
  const { acts, agent, chat, cursor, kindOf, me, room } = talking;
  const { node } = row.said;
  const kind = node.kind ?? "message";
  const said = kind === "message" && !node.purged;
  const live = room.fixed === null;
  const reply = said && kindOf(node.author) === "agent";
  const flags = said && live;
  const held = { pinned: node.pinned === true, excluded: node.excluded === true, bookmarked: node.bookmarked === true };
  const all: Record<string, QuickChoice | null> = {
    answer:
      !chat && said && live
        ? {
            sign: "↩",
            label: "Reply to it",
            hint: "a",
            act: () => {
              cursor.set({ replyTo: node.id });
              focusComposer();
            },
          }
        : null,
    edit:
      agent && live && (said || kind === "summary")
        ? { sign: "✎", label: "Edit", hint: "e", act: () => cursor.set({ editing: node.id }) }
        : null,
    retry:
      agent && live && reply
        ? { sign: "↻", label: "Retry: ask again", hint: "r", act: () => void acts.retry(node.id) }
        : null,
    pin: flags
      ? {
          sign: "📌",
          label: held.pinned ? "Unpin" : "Pin: always sent",
          hint: "p",
          pressed: held.pinned,
          act: () => void acts.flag(node.id, "pinned", !held.pinned),
        }
      : null,
    exclude: flags
      ? {
          sign: "⊘",
          label: held.excluded ? "Send it again" : "Exclude: models do not see it",
          hint: "x",
          pressed: held.excluded,
          act: () => void acts.flag(node.id, "excluded", !held.excluded),
        }
      : null,
    bookmark: flags
      ? {
          sign: "🔖",
          label: held.bookmarked ? "Remove the bookmark" : "Bookmark",
          hint: "b",
          pressed: held.bookmarked,
          act: () => void acts.flag(node.id, "bookmarked", !held.bookmarked),
        }
      : null,
    fork:
      live && said
        ? {
            sign: "⑂",
            label: "Branch from here",
            hint: "f",
            act: () => {
              void acts.go(node.id, false, "You go on from here: what you say next begins a branch.");
              focusComposer();
            },
          }
        : null,
    goOn:
      agent && live && said
        ? { sign: "▸", label: "Let the agent go on from here", act: () => void acts.goOn(node.id) }
        : null,
    generate:
      agent && live && said
        ? { sign: "⁝", label: "Ask for several replies here…", hint: "g", act: () => cursor.set({ asking: node.id }) }
        : null,
    edge: flags
      ? {
          sign: "✂",
          label: node.contextEdge ? "Send what came before again" : "Send nothing before this",
          pressed: node.contextEdge === true,
          act: () => void acts.flag(node.id, "contextEdge", !node.contextEdge),
        }
      : null,
    copy: { sign: "⧉", label: "Copy its text", hint: "y", act: () => void copy(textOf(node)) },
    link: {
      sign: "#",
      label: "Copy its address",
      act: () =>
        void copy(
          `${location.origin}/s/${encodeURIComponent(room.id)}?node=${encodeURIComponent(node.id)}`,
          "The address is copied.",
        ),
    },
    inspect: { sign: "◫", label: "Inspect: what the model saw", act: () => inspect(talking, row, look) },
    remove:
      live && said && (node.author === me || owner)
        ? { sign: "🗑", label: "Delete: hide it and send it no more", act: () => void acts.remove(node) }
        : null,
  };
  return all;
}

const QUICK = ["answer", "edit", "retry", "pin", "exclude"] as const;
const MORE = ["fork", "goOn", "generate", "bookmark", "edge", "copy", "link", "inspect", "remove"] as const;

export function useChoices(row: SaidRow): { quick: QuickChoice[]; more: Choice[] } {
  const talking = useTalking();
  const [, look] = useLook();
  const owner = isOwner(useMe());
  const all = choicesOf(talking, row, look, owner);
  const there = (names: readonly string[]) => names.flatMap((name) => all[name] ?? []);
  return { quick: there(QUICK), more: there(MORE).map(({ pressed: _, ...rest }) => rest) };
}
