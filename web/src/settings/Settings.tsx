/** Settings, a tab for each kind of thing. Who is no owner sees only what is theirs. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { isOwner, useMe } from "../shell/me";
import { usePlace } from "../shell/title";
import { Tabs } from "../ui/overlay";
import { Models } from "./Models";
import { People } from "./People";
import { Providers } from "./Providers";
import { Server } from "./Server";
import { Services } from "./Services";
import { Tokens } from "./Tokens";
import { You } from "./You";
import "./settings.css";

const TABS: { id: string; label: string; owner?: true; Shown: ComponentType }[] = [
  { id: "you", label: "You", Shown: You },
  { id: "people", label: "People", Shown: People },
  { id: "tokens", label: "Tokens", Shown: Tokens },
  { id: "providers", label: "Providers", Shown: Providers },
  { id: "models", label: "Models", Shown: Models },
  { id: "services", label: "Services", owner: true, Shown: Services },
  { id: "server", label: "Server", Shown: Server },
];

export function Page() {
  const { tab } = useSearch({ from: "/inside/settings" });
  const navigate = useNavigate();
  const me = useMe();
  const tabs = TABS.filter((one) => !one.owner || isOwner(me));
  const chosen = tabs.find((one) => one.id === tab) ?? tabs[0]!;
  usePlace(`Settings: ${chosen.label}`);
  return (
    <div className="page settings">
      <h1>Settings</h1>
      <Tabs
        label="Settings"
        tabs={tabs}
        chosen={chosen.id}
        choose={(id) => void navigate({ to: "/settings", search: { tab: id }, replace: true })}
      />
      <div className="settings-tab" role="tabpanel" aria-label={chosen.label}>
        <chosen.Shown />
      </div>
    </div>
  );
}
