/** The choices that can be tried. An empty one is left as it is now. */
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import type { Report, Settings } from "../api/types";
import { models } from "./CostTab";
import { Amount, Choice, Length } from "./LabFields";
import type { Tried } from "./tried";
import { STRATEGIES, type Strategy } from "./words";

interface LabProps {
  tried: Tried;
  /** The space's own choices. */
  own: Settings;
  now: Report | undefined;
  /** The model of now. */
  model: string | null;
  /** Whether it is a run. */
  run: boolean;
  change: (tried: Tried) => void;
}

const UNITS: Record<Schemas["Unit"], string> = { turn: "whole turns", message: "single messages" };
const TOOLS: Record<Schemas["ToolPolicy"], string> = {
  auto: "by themselves",
  cached: "kept as they were",
  "all-on": "all",
  "all-off": "none",
  manual: "those chosen by hand",
};
const REASONING: Record<Schemas["ReasoningPolicy"], string> = {
  keep: "back to the model that wrote it",
  concat: "put into the text",
  drop: "left out",
};
const SUMMARY: Record<Schemas["SummaryPlacement"], string> = {
  system: "in the system text",
  message: "as a message",
};

export function Lab({ tried, own, now, model, run, change }: LabProps) {
  const { settings } = tried;
  const set = (more: Partial<Settings>) => {
    const all = Object.entries({ ...settings, ...more }).filter(([, value]) => value !== undefined);
    change({ ...tried, settings: Object.fromEntries(all) as Settings });
  };
  const list = useQuery(models).data?.models ?? [];
  const { truncationStrategy, contextLength, ...rest } = settings;
  const opened = Object.keys(rest).length > 0 || tried.model !== undefined;
  const strategy = settings.truncationStrategy ?? now?.strategy;
  const known = list.find((one) => one.id === (tried.model ?? model))?.contextLength ?? 0;
  return (
    <div className="lab">
      <Choice
        label="Strategy"
        now={now && STRATEGIES[now.strategy].name}
        hint={strategy && STRATEGIES[strategy].says}
        value={settings.truncationStrategy}
        options={named(STRATEGIES)}
        choose={(value: Strategy | undefined) => set({ truncationStrategy: value })}
      />
      <Length
        value={settings.contextLength ?? null}
        now={now?.budget.contextLength ?? 0}
        most={Math.max(known, now?.budget.contextLength ?? 0, 8_192)}
        choose={(value) => set({ contextLength: value })}
      />
      <details className="more" open={opened}>
        <summary>More choices</summary>
        <div className="lab">
          <Amount
            label="Tokens for the reply"
            now={now?.budget.reserve}
            value={settings.maxTokens}
            least={1}
            choose={(value) => set({ maxTokens: value })}
          />
          <Amount
            label="Newest messages kept at least"
            now={own.minimumRecentNodes ?? undefined}
            hint={strategy === "truncateMiddle" ? undefined : "Only where the middle is cut."}
            value={settings.minimumRecentNodes}
            choose={(value) => set({ minimumRecentNodes: value })}
          />
          <Amount
            label="Newest messages looked at"
            now={own.window ?? undefined}
            hint={run ? "0 means all. In steps of 25, so that a cache holds." : "0 means all."}
            value={settings.window}
            choose={(value) => set({ window: value })}
          />
          <Amount
            label="A cut goes down to (% of the room)"
            now={percent(own.lowWater) ?? undefined}
            hint="Lower: more is cut, less often."
            value={percent(settings.lowWater)}
            most={100}
            least={1}
            choose={(value) => set({ lowWater: value === undefined ? undefined : value / 100 })}
          />
          <Choice
            label="Dropped at a time"
            now={own.unit ? UNITS[own.unit] : undefined}
            hint={strategy === "dropOldest" ? undefined : "Only where the oldest are dropped."}
            value={settings.unit}
            options={Object.entries(UNITS)}
            choose={(value: Schemas["Unit"] | undefined) => set({ unit: value })}
          />
          <Choice
            label="Tools"
            now={own.toolPolicy ? TOOLS[own.toolPolicy] : undefined}
            value={settings.toolPolicy}
            options={Object.entries(TOOLS)}
            choose={(value: Schemas["ToolPolicy"] | undefined) => set({ toolPolicy: value })}
          />
          <Choice
            label="Reasoning"
            now={own.reasoning ? REASONING[own.reasoning] : undefined}
            value={settings.reasoning}
            options={Object.entries(REASONING)}
            choose={(value: Schemas["ReasoningPolicy"] | undefined) => set({ reasoning: value })}
          />
          <Choice
            label="Summary"
            now={own.summary ? SUMMARY[own.summary] : undefined}
            value={settings.summary}
            options={Object.entries(SUMMARY)}
            choose={(value: Schemas["SummaryPlacement"] | undefined) => set({ summary: value })}
          />
          <Choice
            label="Marker where it is cut"
            value={
              settings.marker === undefined || settings.marker === null ? undefined : settings.marker ? "yes" : "no"
            }
            options={[
              ["yes", "shown"],
              ["no", "not shown"],
            ]}
            choose={(value: "yes" | "no" | undefined) =>
              set({ marker: value === undefined ? undefined : value === "yes" })
            }
          />
          <Choice
            label="Model"
            now={model ?? undefined}
            value={tried.model}
            options={list.map((one) => [one.id, one.id])}
            choose={(value: string | undefined) => change({ ...tried, model: value })}
          />
        </div>
      </details>
    </div>
  );
}

const percent = (share: number | null | undefined) =>
  share === undefined || share === null ? null : Math.round(share * 100);

const named = (all: Record<string, { name: string }>) =>
  Object.entries(all).map(([id, { name }]): [string, string] => [id, name]);
