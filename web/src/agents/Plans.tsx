/** The plans of all agents one manages, by when they fire. */
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { told } from "../api/client";
import type { Agent } from "../api/types";
import { usePlace } from "../shell/title";
import { Button, Empty, FaultBox, Spinner } from "../ui/controls";
import { plansOf } from "./AgentPlans";
import { NewPlan } from "./NewPlan";
import { useAgents } from "./names";
import { PlanEntry } from "./PlanEntry";
import { soonestFirst } from "./when";
import "./agents.css";

export function Page() {
  usePlace("Plans");
  const agents = useAgents();
  const managed = (agents.data ?? []).filter((agent) => agent.may === "manage");
  const asked = useQueries({ queries: managed.map((agent) => plansOf(agent.id)) });
  const [making, setMaking] = useState(false);
  const plans = managed.flatMap((agent, at) => (asked[at]?.data ?? []).map((plan) => ({ agent, plan })));
  const fault = agents.error ?? asked.find((one) => one.error)?.error;
  const pending = agents.isPending || asked.some((one) => one.isPending);
  const make = managed.length > 0 && (
    <Button look="main" onClick={() => setMaking(true)}>
      New plan
    </Button>
  );
  const again = () => {
    void agents.refetch();
    for (const one of asked) if (one.error) void one.refetch();
  };
  const sorted = plans.sort((one, other) => soonestFirst(one.plan, other.plan));
  return (
    <div className="page">
      <header>
        <h1 className="grow">Plans</h1>
        {make}
      </header>
      {fault && <FaultBox text={told(fault)} again={again} />}
      {pending && <Spinner label="Loading plans" />}
      {!pending && !fault && plans.length === 0 && (
        <Empty title="Nothing is planned" action={make || <Link to="/agents">Agents</Link>}>
          {managed.length > 0
            ? "An agent can do something later, or again and again. Agents also plan by themselves when they are asked to."
            : "Plans are shown for agents that you manage."}
        </Empty>
      )}
      <ul className="plans-list">
        {sorted.map(({ agent, plan }) => (
          <PlanEntry key={`${agent.id} ${plan.id}`} agent={agent.id} plan={plan} who={<Who agent={agent} />} />
        ))}
      </ul>
      {making && <NewPlan among={managed} close={() => setMaking(false)} />}
    </div>
  );
}

function Who({ agent }: { agent: Agent }) {
  return (
    <>
      <Link to="/agents/$agent" params={{ agent: agent.id }}>
        {agent.name}
      </Link>
      :{" "}
    </>
  );
}
