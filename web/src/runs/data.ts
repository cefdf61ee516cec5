/** Runs from the server. What is open is asked for once for everybody who shows it; what ended, only where it is looked at. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, done, type Schemas } from "../api/client";
import type { Run } from "../api/types";
import { onChange } from "../live/house";
import { newestFirst, OPEN, type Status } from "./words";

export interface Filter {
  agent?: string;
  space?: string;
}

const MOST = 200;
const OFTEN = 5_000;
const SELDOM = 20_000;
/** Changes come in swarms: one question for all of them. */
const SETTLE = 600;

async function ask(statuses: readonly Status[], filter: Filter, limit: number): Promise<Run[]> {
  const all = await Promise.all(
    statuses.map((status) => done(api.GET("/api/runs", { params: { query: { status, limit, ...filter } } }))),
  );
  return all.flat().sort(newestFirst);
}

export const OPEN_RUNS = ["runs", "open"];

/** All runs that have not ended. `often`: they are looked at. */
export function useOpenRuns(often = false) {
  return useQuery({
    queryKey: OPEN_RUNS,
    queryFn: () => ask(OPEN, {}, MOST),
    staleTime: 2_000,
    refetchInterval: ({ state }) => (often || state.data?.some((run) => run.status === "running") ? OFTEN : SELDOM),
  });
}

/** Runs that ended, as many as are wanted so far. */
export function useEnded(status: "done" | "failed", filter: Filter, limit: number) {
  const statuses: Status[] = status === "done" ? ["completed", "canceled"] : ["failed"];
  return useQuery({
    queryKey: ["runs", status, filter, limit],
    queryFn: async () => {
      const runs = await ask(statuses, filter, limit);
      return { runs: runs.slice(0, limit), more: runs.length >= limit && limit < MOST, capped: limit >= MOST };
    },
    placeholderData: (before) => before,
  });
}

/** Empty lists are left out of the answer. */
function whole(tale: Schemas["RunTale"]): Schemas["RunTale"] {
  return {
    ...tale,
    triggers: tale.triggers ?? [],
    steps: (tale.steps ?? []).map((step) => ({ ...step, calls: step.calls ?? [] })),
    waits: (tale.waits ?? []).map((wait) => ({ ...wait, from: wait.from ?? [] })),
    calls: tale.calls ?? [],
  };
}

/** One run's tale, asked for again while it goes on. */
export function useTale(run: string, goesOn: boolean) {
  return useQuery({
    queryKey: ["runs", "tale", run],
    queryFn: async () => whole(await done(api.GET("/api/runs/{run}", { params: { path: { run } } }))),
    refetchInterval: goesOn ? OFTEN : false,
  });
}

/** Asks again when something changed in a space. Stands once, in the frame. */
export function useRunsFollow() {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = onChange(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void queries.invalidateQueries({ queryKey: ["runs"] }), SETTLE);
    });
    return () => {
      clearTimeout(timer);
      off();
    };
  }, [queries]);
}
