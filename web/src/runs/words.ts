/** Runs in words: in which column one stands, what it waits for, and whether a person has to act. Pure. */
import type { Schemas } from "../api/client";
import type { Run } from "../api/types";
import type { SignName } from "../shell/Sign";

export type Status = Run["status"];

export const COLUMNS = [
  { id: "queued", name: "Queued", statuses: ["queued"] },
  { id: "running", name: "Running", statuses: ["running"] },
  { id: "waiting", name: "Waiting", statuses: ["waiting_reply", "waiting_tool", "parked"] },
  { id: "done", name: "Done", statuses: ["completed", "canceled"] },
  { id: "failed", name: "Failed", statuses: ["failed"] },
] as const satisfies readonly { id: string; name: string; statuses: readonly Status[] }[];
export type Column = (typeof COLUMNS)[number]["id"];

export const OPEN = [
  "queued",
  "running",
  "waiting_reply",
  "waiting_tool",
  "parked",
] as const satisfies readonly Status[];

/** Hops from agent to agent after which nobody is woken any more. */
export const MOST_DEPTH = 5;

export const isOpen = (run: Run) => (OPEN as readonly Status[]).includes(run.status);

/** Newest first; the id decides where times are alike, so that nothing jumps. */
export function newestFirst(one: Run, other: Run): number {
  return (other.createdAt ?? "").localeCompare(one.createdAt ?? "") || other.id.localeCompare(one.id);
}

export function inColumn(runs: readonly Run[], column: Column): Run[] {
  const statuses: readonly Status[] = COLUMNS.find((one) => one.id === column)?.statuses ?? [];
  return runs.filter((run) => statuses.includes(run.status)).sort(newestFirst);
}

const PARKED: Record<string, string> = {
  poison: "It failed several times in the same place",
  budget: "Its money is spent",
  approval: "Nobody allowed its call in time",
  provider: "Its model cannot be asked now",
  config: "Something is set up wrongly",
};

type Tone = "plain" | "accent" | "red" | "yellow" | "green" | "blue";

/** How a run stands: a shape, words, a tint. */
export function stands(run: Run): { sign: SignName; words: string; tone: Tone } {
  switch (run.status) {
    case "queued":
      return { sign: "queued", words: "Queued", tone: "plain" };
    case "running":
      return { sign: "working", words: "Working", tone: "blue" };
    case "waiting_reply":
      return { sign: "waiting", words: `Waits for ${run.waitsFor ?? "a reply"}`, tone: "yellow" };
    case "waiting_tool":
      return run.asksFor
        ? { sign: "asks", words: `Asks for leave: ${run.asksFor}`, tone: "yellow" }
        : { sign: "waiting", words: "Waits for a tool", tone: "yellow" };
    case "parked":
      return {
        sign: "parked",
        words: `Parked: ${PARKED[run.parked ?? ""] ?? run.parked ?? "stands still"}`,
        tone: "red",
      };
    case "completed":
      return { sign: "done", words: "Done", tone: "green" };
    case "canceled":
      return { sign: "stopped", words: "Stopped", tone: "plain" };
    case "failed":
      return { sign: "failed", words: "Failed", tone: "red" };
  }
}

/** Those that wait for a person, the ones that ask for something first, then by age: who waits longest comes first. */
export function inTurn(waiting: readonly Run[]): Run[] {
  const rank = (run: Run) => (run.status === "waiting_tool" ? 0 : run.status === "waiting_reply" ? 1 : 2);
  const since = (run: Run) => run.waitsSince ?? run.createdAt ?? "";
  return [...waiting].sort(
    (one, other) => rank(one) - rank(other) || since(one).localeCompare(since(other)) || one.id.localeCompare(other.id),
  );
}

/** What one sees beside a space: work, or something that waits for a person. */
export function marks(runs: readonly Run[], waiting: readonly Run[]): Map<string, "working" | "waiting"> {
  const found = new Map<string, "working" | "waiting">();
  for (const run of runs) if (run.space && isOpen(run)) found.set(run.space, "working");
  for (const run of waiting) if (run.space) found.set(run.space, "waiting");
  return found;
}

/** What it cost; nothing is known where no call has a price. */
export function costOf(tale: Schemas["RunTale"]): number | null {
  return tale.calls.length > 0 && tale.calls.every((call) => call.costUsd == null) ? null : tale.costUsd;
}
