/** The plans of one agent. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, done, told } from "../api/client";
import { Button, FaultBox, Spinner } from "../ui/controls";
import { NewPlan } from "./NewPlan";
import { PlanEntry } from "./PlanEntry";
import { soonestFirst } from "./when";

export const plansOf = (agent: string) => ({
  queryKey: ["agents", agent, "plans"],
  queryFn: () => done(api.GET("/api/agents/{agent}/plans", { params: { path: { agent } } })),
});

export function AgentPlans({ agent }: { agent: string }) {
  const { data, error, refetch } = useQuery(plansOf(agent));
  const [making, setMaking] = useState(false);
  return (
    <section className="card" aria-label="Plans">
      <header>
        <h2 className="grow">Plans</h2>
        <Button onClick={() => setMaking(true)}>New plan</Button>
      </header>
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {!data && !error && <Spinner />}
      {data?.length === 0 && <p className="soft small">It will do nothing by itself.</p>}
      {data && data.length > 0 && (
        <ul className="plans-list">
          {[...data].sort(soonestFirst).map((plan) => (
            <PlanEntry key={plan.id} agent={agent} plan={plan} />
          ))}
        </ul>
      )}
      {making && <NewPlan agent={agent} close={() => setMaking(false)} />}
    </section>
  );
}
