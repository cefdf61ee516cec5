/** When a plan fires, in words. Pure. */
import type { Schemas } from "../api/client";
import { span } from "../ui/numbers";

export type Plan = Schemas["AgentPlan"];

const NEVER = "9999";

/** What fires next comes first; what never fires again, last. */
export function soonestFirst(one: Plan, other: Plan): number {
  return (one.next ?? NEVER).localeCompare(other.next ?? NEVER) || one.id.localeCompare(other.id);
}

/** How often or when, as it was asked for. */
export function rhythm(plan: Plan): string {
  if (plan.cron) return `again and again: ${plan.cron}`;
  if (plan.runAfter) return `once, ${plan.runAfter} after it was made`;
  return "once";
}

/** In 02:13, now, or never again. */
export function untilNext(plan: Plan, now: number): string {
  if (!plan.next) return "has fired; never again";
  const left = Date.parse(plan.next) - now;
  return left <= 0 ? "due now" : `in ${span(left)}`;
}
