/** The time that is looked at. It stands in the address. */
import { useNavigate } from "@tanstack/react-router";
import { useHouse } from "../live/house";
import { dayOf } from "./sums";
import type { Scope } from "./Usage";

const SPANS = [
  { days: 1, name: "Today" },
  { days: 7, name: "7 days" },
  { days: 30, name: "30 days" },
  { days: 90, name: "90 days" },
] as const;

const back = (days: number) => dayOf(new Date(Date.now() - (days - 1) * 86_400_000));

export function Range({ scope }: { scope: Scope }) {
  const navigate = useNavigate();
  const { spaces } = useHouse();
  const set = (change: Scope) =>
    void navigate({ to: "/usage", search: (before: Scope) => ({ ...before, ...change }), replace: true });
  return (
    <div className="row wrap range">
      <fieldset className="row wrap">
        <legend className="unseen">Time</legend>
        <button
          type="button"
          className="button"
          aria-pressed={!scope.since && !scope.until}
          onClick={() => set({ since: undefined, until: undefined })}
        >
          All
        </button>
        {SPANS.map((span) => (
          <button
            key={span.days}
            type="button"
            className="button"
            aria-pressed={scope.since === back(span.days) && !scope.until}
            onClick={() => set({ since: back(span.days), until: undefined })}
          >
            {span.name}
          </button>
        ))}
        <input
          className="input short"
          type="date"
          aria-label="From"
          value={scope.since ?? ""}
          max={scope.until}
          onChange={(event) => set({ since: event.target.value || undefined })}
        />
        <input
          className="input short"
          type="date"
          aria-label="To"
          value={scope.until ?? ""}
          min={scope.since}
          onChange={(event) => set({ until: event.target.value || undefined })}
        />
      </fieldset>
      <select
        className="input short"
        aria-label="Space"
        value={scope.space ?? ""}
        onChange={(event) => set({ space: event.target.value || undefined })}
      >
        <option value="">Everywhere</option>
        {spaces.map((space) => (
          <option key={space.id} value={space.id}>
            {space.name || "Unnamed"}
          </option>
        ))}
      </select>
    </div>
  );
}
