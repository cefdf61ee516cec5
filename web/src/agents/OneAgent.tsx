/** One agent: what it is, what it is after and remembers, what it can and will do, where it belongs. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { api, done, Problem, told } from "../api/client";
import type { Agent } from "../api/types";
import { isOwner, useMe } from "../shell/me";
import { usePlace } from "../shell/title";
import { Avatar, Chip, Empty, FaultBox, Spinner } from "../ui/controls";
import { count } from "../ui/numbers";
import { AgentForm } from "./AgentForm";
import { AgentPlans } from "./AgentPlans";
import { External } from "./External";
import { Goals } from "./Goals";
import { Guard, useUnsaved } from "./guard";
import { Memories } from "./Memories";
import { Tools } from "./Tools";
import "./agents.css";

export function Page() {
  const { agent: id } = useParams({ from: "/inside/agents/$agent" });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["agents", id],
    queryFn: () => done(api.GET("/api/agents/{agent}", { params: { path: { agent: id } } })),
  });
  usePlace(data?.name ?? "Agent");
  if (error instanceof Problem && error.status === 404) {
    return (
      <Empty title="There is no such agent for you" action={<Link to="/agents">All agents</Link>}>
        It was never here, or you share no space with it.
      </Empty>
    );
  }
  if (isPending) return <Spinner label="Loading the agent" />;
  if (!data) {
    return (
      <div className="page">
        <FaultBox text={told(error)} again={() => void refetch()} />
      </div>
    );
  }
  return <Shown key={id} agent={data} />;
}

function Shown({ agent }: { agent: Agent }) {
  const me = useMe();
  const [unsaved, mark] = useUnsaved();
  const manages = agent.may === "manage";
  return (
    <div className="page agent-page">
      <Guard unsaved={unsaved} />
      <header>
        <Avatar name={agent.name} agent />
        <h1 className="grow cut">{agent.name}</h1>
        {agent.external && <Chip>external</Chip>}
        <Link className="small" to="/runs" search={{ agent: agent.id }}>
          {agent.openRuns > 0 ? count(agent.openRuns, "open run") : "Its runs"}
        </Link>
      </header>
      <Spaces agent={agent} />
      {manages ? (
        <>
          <AgentForm agent={agent} mark={mark} />
          <Goals agent={agent.id} mark={mark} />
          <Memories agent={agent.id} mark={mark} />
          <Tools agent={agent} />
          <AgentPlans agent={agent.id} />
          {agent.external && <External agent={agent} owner={isOwner(me)} />}
        </>
      ) : (
        <section className="card">
          <div>
            Model: <code>{agent.model || "the server's own"}</code>
          </div>
          <p className="soft">
            You see that it is there. Its prompt, goals, memories, tools and plans are for whoever manages it: an owner,
            or a person who is the only one in all of its spaces.
          </p>
        </section>
      )}
    </div>
  );
}

function Spaces({ agent }: { agent: Agent }) {
  return (
    <section className="card" aria-label="Where it belongs">
      <h2>Where it belongs</h2>
      {agent.spaces.length === 0 && (
        <p className="soft">In no space of yours. Let it into one from that space's members, and it wakes there.</p>
      )}
      <ul className="agents">
        {agent.spaces.map((space) => (
          <li key={space.id} className="row">
            <Link className="grow cut" to="/s/$space" params={{ space: space.id }}>
              {space.name || "Unnamed"}
            </Link>
            {agent.may === "manage" && (
              <Link
                className="small"
                to="/s/$space"
                params={{ space: space.id }}
                search={{ as: agent.id, inspect: "window" }}
              >
                What would it see now?
              </Link>
            )}
          </li>
        ))}
      </ul>
      {agent.elsewhere ? (
        <p className="soft small">And in {count(agent.elsewhere, "space")} that you are not in.</p>
      ) : null}
    </section>
  );
}
