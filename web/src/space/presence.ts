/** How an agent is doing, in a sign and in words: never by colour alone. */
import type { Run } from "../api/types";

const ENDED = new Set<Run["status"]>(["completed", "canceled"]);

export function signOf(run: Run | null): string {
  if (!run) return "○";
  if (run.asksFor) return "✋";
  switch (run.status) {
    case "queued":
      return "◔";
    case "running":
      return "◐";
    case "waiting_reply":
    case "waiting_tool":
      return "⏳";
    case "parked":
      return "‖";
    case "failed":
      return "✕";
    case "completed":
    case "canceled":
      return "○";
  }
}

const PARKED: Record<string, string> = {
  poison: "failed again and again",
  budget: "has used up its budget",
  approval: "waits for somebody's leave",
  provider: "cannot reach its model",
  config: "is not set up",
};

export function standing(run: Run): string {
  if (run.asksFor && !ENDED.has(run.status)) return `asks for leave to use ${run.asksFor}`;
  switch (run.status) {
    case "queued":
      return "is about to begin";
    case "running":
      return "is working";
    case "waiting_reply":
      return `waits for ${run.waitsFor ?? "a reply"}`;
    case "waiting_tool":
      return "waits for a tool";
    case "parked":
      return `${PARKED[run.parked ?? ""] ?? "is parked"}${run.error ? `: ${run.error}` : ""}`;
    case "failed":
      return `failed${run.error ? `: ${run.error}` : ""}`;
    case "completed":
      return "is done";
    case "canceled":
      return "was stopped";
  }
}

const RANK: Run["status"][] = ["parked", "failed", "running", "queued", "waiting_tool", "waiting_reply"];

/** Of all runs of an agent the one that tells most; none if it is idle. */
export function telling(runs: readonly Run[], agent: string): Run | null {
  const own = runs.filter((run) => run.agent === agent && !ENDED.has(run.status));
  return own.sort((one, other) => RANK.indexOf(one.status) - RANK.indexOf(other.status))[0] ?? null;
}
