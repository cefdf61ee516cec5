/** What an agent is after. */
import { api, done, type Schemas } from "../api/client";
import { Mind } from "./Mind";

type Goal = Schemas["Goal"];

export function Goals({ agent, mark }: { agent: string; mark: (part: string, unsaved: boolean) => void }) {
  const params = { path: { agent } };
  return (
    <Mind<Goal>
      title="Goals"
      says="What it is after. One that is reached is removed."
      part="goals"
      queryKey={["agents", agent, "goals"]}
      load={async () => (await done(api.GET("/api/agents/{agent}/goals", { params }))).goals}
      save={async (goals) => (await done(api.PUT("/api/agents/{agent}/goals", { params, body: { goals } }))).goals}
      fresh={() => ({ text: "" })}
      isWhole={(goal) => goal.text.trim() !== ""}
      add="Add a goal"
      mark={mark}
    >
      {(goal, change) => (
        <>
          <textarea
            className="input"
            aria-label="Goal"
            placeholder="What it is after"
            rows={1}
            maxLength={2000}
            value={goal.text}
            onChange={(event) => change({ text: event.target.value })}
          />
          <input
            className="input priority"
            type="number"
            step={1}
            aria-label="Priority: how much it matters"
            title="Priority: how much it matters"
            placeholder="Priority"
            value={goal.priority ?? ""}
            onChange={(event) =>
              change({ priority: event.target.value === "" ? undefined : Math.round(event.target.valueAsNumber) })
            }
          />
          <label className="row small">
            <input
              type="checkbox"
              checked={goal.longTerm ?? false}
              onChange={(event) => change({ longTerm: event.target.checked || undefined })}
            />
            never ends
          </label>
        </>
      )}
    </Mind>
  );
}
