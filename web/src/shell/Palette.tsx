/** Go anywhere, do anything: spaces, places, and every key that acts now. */
import { useNavigate } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import { useAgents } from "../agents/names";
import { useHouse } from "../live/house";
import { Dialog } from "../ui/overlay";
import { useChosenInView } from "../ui/view";
import { useAllKeys } from "./keys";

interface Entry {
  id: string;
  name: string;
  hint: string;
  go: () => void;
}

const MOST = 40;

export function Palette({
  close,
  makeSpace,
  showKeys,
}: {
  close: () => void;
  makeSpace: () => void;
  showKeys: () => void;
}) {
  const [asked, setAsked] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const navigate = useNavigate();
  const words = asked.trim();
  const search: Entry = {
    id: "search",
    name: `Search for "${words}"`,
    hint: "what was said",
    go: () => void navigate({ to: "/search", search: { q: words } }),
  };
  const found = [...matching(useEntries(makeSpace, showKeys), asked), ...(words ? [search] : [])];
  const chosen = Math.min(at, found.length - 1);
  useChosenInView(list, chosen);
  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    close();
    // After the dialog has given the focus back.
    setTimeout(entry.go, 0);
  };
  return (
    <Dialog title="Find or do" close={close}>
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[chosen] ? `${id}-${chosen}` : undefined}
        aria-label="Find a space, a place or an act"
        placeholder="A space, a place, an act…"
        value={asked}
        onChange={(event) => {
          setAsked(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step) {
            event.preventDefault();
            setAt((chosen + step + found.length) % Math.max(found.length, 1));
          } else if (event.key === "Enter") {
            event.preventDefault();
            go(found[chosen]);
          }
        }}
      />
      <div className="palette" id={`${id}-list`} role="listbox" aria-label="Found" ref={list}>
        {found.map((entry, index) => (
          <div
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(entry)}
            onKeyDown={() => {}}
          >
            <span className="grow cut">{entry.name}</span>
            <span className="soft small">{entry.hint}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function useEntries(makeSpace: () => void, showKeys: () => void): Entry[] {
  const navigate = useNavigate();
  const { spaces } = useHouse();
  const keys = useAllKeys();
  const agents = useAgents().data ?? [];
  const place = (
    name: string,
    to: "/runs" | "/agents" | "/plans" | "/usage" | "/import" | "/settings" | "/search",
  ) => ({
    id: to,
    name,
    hint: "place",
    go: () => void navigate({ to }),
  });
  return [
    ...spaces.map((space) => ({
      id: space.id,
      name: space.name || "Unnamed",
      hint: space.unread > 0 ? `${space.unread} unread` : space.mode === "buffer" ? "loom" : "space",
      go: () => void navigate({ to: "/s/$space", params: { space: space.id } }),
    })),
    { id: "new", name: "New space…", hint: "act", go: () => makeSpace() },
    { id: "keys", name: "All keys", hint: "act", go: showKeys },
    place("Runs", "/runs"),
    place("Agents", "/agents"),
    place("Plans", "/plans"),
    place("Usage", "/usage"),
    place("Import", "/import"),
    place("Settings", "/settings"),
    place("Search", "/search"),
    ...agents.map((agent) => ({
      id: agent.id,
      name: agent.name,
      hint: "agent",
      go: () => void navigate({ to: "/agents/$agent", params: { agent: agent.id } }),
    })),
    ...keys
      .filter((key) => key.key !== "Ctrl+K")
      .map((key) => ({
        id: `key ${key.key} ${key.says}`,
        name: key.says,
        hint: key.key.replaceAll("+", " "),
        go: key.act,
      })),
  ];
}

/** All words must be in it; what begins with them comes first. */
function matching(entries: Entry[], asked: string): Entry[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = entries.filter((entry) => words.every((word) => entry.name.toLowerCase().includes(word)));
  const first = (entry: Entry) => (entry.name.toLowerCase().startsWith(words[0] ?? "") ? 0 : 1);
  return fits.sort((one, other) => first(one) - first(other)).slice(0, MOST);
}
