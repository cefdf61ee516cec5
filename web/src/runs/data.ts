/** Runs from the server. What is open is asked for once for everybody who shows it; what ended, only where it is looked at. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, done, type Schemas } from "../api/client";
import type { Run } from "../api/types";
import { onChange, onWaiting } from "../live/house";
import { OPEN, type Status } from "./words";

export interface Filter {
  agent?: string;
  space?: string;
}

const PAGE = 200;
/** So many open runs are known at once. */
const MOST = 1_000;
const ENDED = 25;
const OFTEN = 5_000;
const SELDOM = 60_000;
/** Changes come in swarms: one question for all of them. */
const SETTLE = 600;

/** A page of runs, newest first, wherever of these places they stand. */
const ask = (statuses: readonly Status[], filter: Filter, limit: number, after: string | null, signal: AbortSignal) =>
  done(
    api.GET("/api/runs", {
      params: { query: { status: statuses.join(","), limit, ...filter, ...(after ? { after } : {}) } },
      signal,
    }),
  );

async function allOpen(signal: AbortSignal): Promise<Run[]> {
  const runs: Run[] = [];
  let after: string | null = null;
  do {
    const page: Schemas["RunPage"] = await ask(OPEN, {}, PAGE, after, signal);
    runs.push(...page.runs);
    after = page.next ?? null;
  } while (after && runs.length < MOST);
  return runs;
}

/** All runs that have not ended. `often`: they are looked at. */
export function useOpenRuns(often = false) {
  return useQuery({
    queryKey: ["runs", "open"],
    queryFn: ({ signal }) => allOpen(signal),
    staleTime: 2_000,
    refetchInterval: ({ state }) => (often || state.data?.some((run) => run.status === "running") ? OFTEN : SELDOM),
  });
}

/** Runs that ended, page by page. */
export function useEnded(status: "done" | "failed", filter: Filter) {
  const statuses: Status[] = status === "done" ? ["completed", "canceled"] : ["failed"];
  return useInfiniteQuery({
    queryKey: ["runs", status, filter],
    queryFn: ({ pageParam, signal }) => ask(statuses, filter, ENDED, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
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

/** Asks again when something changed in a space, or other runs wait. Stands once, in the frame. */
export function useRunsFollow() {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      clearTimeout(timer);
      // Without breaking off a page that somebody just asked for.
      timer = setTimeout(
        () => void queries.invalidateQueries({ queryKey: ["runs"] }, { cancelRefetch: false }),
        SETTLE,
      );
    };
    const off = [onChange(again), onWaiting(again)];
    return () => {
      clearTimeout(timer);
      for (const end of off) end();
    };
  }, [queries]);
}
