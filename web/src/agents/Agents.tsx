/** The agents one knows. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { told } from "../api/client";
import type { Agent } from "../api/types";
import { isOwner, useMe } from "../shell/me";
import { usePlace } from "../shell/title";
import { Avatar, Button, Chip, Empty, FaultBox, Spinner } from "../ui/controls";
import { count } from "../ui/numbers";
import { NewAgent } from "./NewAgent";
import { useAgents } from "./names";
import "./agents.css";

export function Page() {
  usePlace("Agents");
  const me = useMe();
  const [making, setMaking] = useState(false);
  const [asked, setAsked] = useState("");
  const { data: agents, error, isPending, refetch } = useAgents();
  const make = isOwner(me) && (
    <Button look="main" onClick={() => setMaking(true)}>
      New agent
    </Button>
  );
  const words = asked.trim().toLowerCase();
  const found = (agents ?? []).filter((one) => `${one.name} ${one.model ?? ""}`.toLowerCase().includes(words));
  return (
    <div className="page">
      <header>
        <h1 className="grow">Agents</h1>
        {(agents?.length ?? 0) > 8 && (
          <input
            className="input narrow"
            type="search"
            aria-label="Find an agent"
            placeholder="Find…"
            value={asked}
            onChange={(event) => setAsked(event.target.value)}
          />
        )}
        {make}
      </header>
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {isPending && <Spinner label="Loading agents" />}
      {agents?.length === 0 && (
        <Empty title="No agents yet" action={make}>
          {isOwner(me)
            ? "An agent is a model with a name and something to do. It wakes in the spaces it is let into."
            : "You share no space with an agent yet."}
        </Empty>
      )}
      {words && found.length === 0 && <p className="soft">Nobody is called that.</p>}
      <ul className="agents">
        {found.map((agent) => (
          <Entry key={agent.id} agent={agent} />
        ))}
      </ul>
      {making && <NewAgent close={() => setMaking(false)} />}
    </div>
  );
}

function Entry({ agent }: { agent: Agent }) {
  const places = agent.spaces.map((space) => space.name || "Unnamed");
  return (
    <li className="card agent-entry">
      <Avatar name={agent.name} agent />
      <div className="grow">
        <div className="row">
          <Link className="cut agent-name" to="/agents/$agent" params={{ agent: agent.id }}>
            {agent.name}
          </Link>
          {agent.external && <Chip title="A program elsewhere does its runs">external</Chip>}
          {agent.loomAware && <Chip>loom-aware</Chip>}
        </div>
        <div className="soft small cut">
          {agent.model || "the server's own model"} ·{" "}
          {places.length > 0 ? `in ${places.join(", ")}` : "in no space of yours"}
          {agent.elsewhere ? ` and ${count(agent.elsewhere, "other")}` : ""}
        </div>
      </div>
      {agent.openRuns > 0 && (
        <Link className="small" to="/runs" search={{ agent: agent.id }}>
          {count(agent.openRuns, "open run")}
        </Link>
      )}
    </li>
  );
}
