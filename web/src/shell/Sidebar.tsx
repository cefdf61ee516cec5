/** Spaces by what they are, and the other places. */
import { Link } from "@tanstack/react-router";
import { memo, useMemo } from "react";
import type { SpaceCard } from "../api/types";
import { useHouse } from "../live/house";
import { useOpenRuns } from "../runs/data";
import { marks } from "../runs/words";
import { Button, Icon } from "../ui/controls";
import { count } from "../ui/numbers";
import { useMe } from "./me";
import { Sign } from "./Sign";
import { inShelves } from "./shelves";
import { Waiting } from "./Waiting";

const PLACES = [
  { to: "/runs", sign: "runs", name: "Runs" },
  { to: "/agents", sign: "agents", name: "Agents" },
  { to: "/plans", sign: "plans", name: "Plans" },
  { to: "/usage", sign: "usage", name: "Usage" },
  { to: "/search", sign: "search", name: "Search" },
  { to: "/import", sign: "import", name: "Import" },
  { to: "/settings", sign: "settings", name: "Settings" },
] as const;

export function Sidebar({ makeSpace, openPalette }: { makeSpace: () => void; openPalette: () => void }) {
  const { spaces, ready, waiting } = useHouse();
  const me = useMe();
  const open = useOpenRuns().data;
  const marked = useMemo(() => marks(open ?? [], waiting ?? []), [open, waiting]);
  const shelves = useMemo(() => inShelves(spaces), [spaces]);
  return (
    <nav className="sidebar" aria-label="Spaces and places">
      <div className="row sidebar-top">
        <Button className="grow find" look="plain" onClick={openPalette}>
          <span className="grow">Find or do…</span> <kbd>Ctrl K</kbd>
        </Button>
        <Icon label="New space" className="add" onClick={() => makeSpace()}>
          +
        </Icon>
      </div>
      <Waiting />
      <div className="shelves">
        {shelves.map((shelf) => (
          <Shelf key={shelf.name} name={shelf.name} spaces={shelf.spaces} marked={marked} />
        ))}
        {ready && spaces.length === 0 && (
          <div className="empty">
            <p>No spaces yet.</p>
            <Button look="main" onClick={() => makeSpace()}>
              Make one
            </Button>
          </div>
        )}
      </div>
      <ul className="places">
        {PLACES.map((place) => (
          <li key={place.to}>
            <Link to={place.to} activeProps={{ "aria-current": "page" }} activeOptions={{ includeSearch: false }}>
              <Sign name={place.sign} size={15} />
              {place.name}
            </Link>
          </li>
        ))}
        <li className="me small soft cut" title={me.me.name}>
          {me.me.name}
          {me.demo && " · demo"}
        </li>
      </ul>
    </nav>
  );
}

type Mark = "working" | "waiting";

function Shelf({ name, spaces, marked }: { name: string; spaces: SpaceCard[]; marked: Map<string, Mark> }) {
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul>
        {spaces.map((space) => (
          <Entry key={space.id} space={space} mark={marked.get(space.id)} />
        ))}
      </ul>
    </section>
  );
}

/** Drawn again only when its own space changed: there may be hundreds. */
const Entry = memo(function Entry({ space, mark }: { space: SpaceCard; mark?: Mark }) {
  return (
    <li className="entry">
      <Link
        to="/s/$space"
        params={{ space: space.id }}
        preload={false}
        activeProps={{ "aria-current": "page" }}
        activeOptions={{ includeSearch: false }}
        title={space.name || "Unnamed"}
      >
        {space.confidential && (
          <span role="img" aria-label="Confidential" title="Its words stay among its members">
            <Sign name="lock" size={12} />
          </span>
        )}
        <span className="grow cut">{space.name || "Unnamed"}</span>
        {mark && (
          <span
            role="img"
            className={`mark ${mark}`}
            aria-label={mark === "waiting" ? "somebody is waited for" : "an agent is at work"}
            title={mark === "waiting" ? "Somebody is waited for here" : "An agent is at work here"}
          >
            <Sign name={mark} size={12} />
          </span>
        )}
        {space.unread > 0 && (
          <span className="badge" role="img" aria-label={count(space.unread, "unread message")}>
            {space.unread > 99 ? "99+" : space.unread}
          </span>
        )}
      </Link>
    </li>
  );
});
