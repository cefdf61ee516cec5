/** The frame: the list of spaces at the side, the place itself beside it. On a narrow screen one at a time. */
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useHouse } from "../live/house";
import { Icon } from "../ui/controls";
import { Keys } from "./Keys";
import { useKeys } from "./keys";
import { MakingProvider } from "./making";
import { type Kind, NewSpace } from "./NewSpace";
import { Palette } from "./Palette";
import { Sidebar } from "./Sidebar";
import { useTitle, useWaits } from "./title";
import "./shell.css";

type Above = "palette" | "keys" | { make?: Kind } | null;

export function Shell() {
  const [above, setAbove] = useState<Above>(null);
  const [drawer, setDrawer] = useState(false);
  const navigate = useNavigate();
  const place = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const house = useHouse();
  useTitle(house.spaces);
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer
  useEffect(() => setDrawer(false), [place]);
  const nextUnread = () => {
    const here = house.spaces.findIndex((space) => place === `/s/${encodeURIComponent(space.id)}`);
    const order = [...house.spaces.slice(here + 1), ...house.spaces.slice(0, Math.max(here, 0))];
    const next = order.find((space) => space.unread > 0);
    if (next) void navigate({ to: "/s/$space", params: { space: next.id } });
  };
  useKeys([
    { key: "Ctrl+K", says: "Go anywhere, do anything", act: () => setAbove("palette"), inFields: true },
    { key: "/", says: "Search", act: () => void navigate({ to: "/search" }) },
    { key: "?", says: "All keys", act: () => setAbove("keys") },
    { key: "n", says: "Next space with something unread", act: nextUnread },
    { key: "Alt+Shift+ArrowDown", says: "Next space with something unread", act: nextUnread, inFields: true },
  ]);
  const close = () => setAbove(null);
  const make = useCallback((kind?: Kind) => setAbove({ make: kind }), []);
  const unread = house.spaces.some((space) => space.unread > 0);
  const waits = useWaits();
  return (
    <div className={`shell ${drawer ? "drawn" : ""}`}>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to what is shown
      </a>
      <header className="topbar">
        <Icon
          className="drawer-button"
          label={`Spaces${waits ? ", somebody is waited for" : ""}${unread ? ", something is unread" : ""}`}
          aria-expanded={drawer}
          onClick={() => setDrawer(!drawer)}
        >
          <span aria-hidden="true">☰</span>
          {(unread || waits) && <span className={`dot ${waits ? "waits" : ""}`} aria-hidden="true" />}
        </Icon>
        <strong>Weft</strong>
        {house.link === "lost" && <span className="chip red">offline</span>}
      </header>
      <Sidebar makeSpace={make} openPalette={() => setAbove("palette")} />
      {drawer && <button type="button" className="veil" aria-label="Close the list" onClick={() => setDrawer(false)} />}
      <main id="main" ref={main} tabIndex={-1}>
        {house.link === "lost" && (
          <div className="offline" role="status">
            The server cannot be reached. What you see may be old; it comes back by itself.
          </div>
        )}
        <MakingProvider value={make}>
          <Outlet />
        </MakingProvider>
      </main>
      {above === "palette" && <Palette close={close} makeSpace={make} showKeys={() => setAbove("keys")} />}
      {above === "keys" && <Keys close={close} />}
      {above && typeof above === "object" && <NewSpace begin={above.make} close={close} />}
    </div>
  );
}
