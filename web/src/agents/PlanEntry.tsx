/** A plan: what, how often, when next. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, done } from "../api/client";
import { useNow } from "../runs/Since";
import { Sure } from "../settings/Sure";
import { Button } from "../ui/controls";
import { atFull } from "../ui/numbers";
import { attempt } from "../ui/toasts";
import { type Plan, rhythm, untilNext } from "./when";

export function PlanEntry({ agent, plan, who }: { agent: string; plan: Plan; who?: React.ReactNode }) {
  const queries = useQueryClient();
  const now = useNow();
  const [sure, setSure] = useState(false);
  const remove = () =>
    attempt(async () => {
      await done(api.DELETE("/api/agents/{agent}/plans/{plan}", { params: { path: { agent, plan: plan.id } } }));
      await queries.invalidateQueries({ queryKey: ["agents", agent, "plans"] });
    });
  return (
    <li className="card plan">
      <div className="grow stack">
        <div>
          {who}
          <strong>{plan.name}</strong>
        </div>
        <div className="small">
          <span title={plan.next ? atFull(plan.next) : undefined}>{untilNext(plan, now)}</span>
          <span className="soft">
            {" "}
            · {rhythm(plan)}
            {plan.next ? ` · next ${atFull(plan.next)}` : plan.scheduledAt ? ` · ${atFull(plan.scheduledAt)}` : ""}
          </span>
        </div>
        <div className="instruction small soft">{plan.instruction}</div>
      </div>
      <Button onClick={() => setSure(true)}>Remove</Button>
      {sure && (
        <Sure title={`Remove "${plan.name}"?`} act="Remove" go={() => void remove()} close={() => setSure(false)}>
          It never fires again.
        </Sure>
      )}
    </li>
  );
}
