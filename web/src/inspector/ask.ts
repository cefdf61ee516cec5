/** What the inspector asks the server for. Nothing of it calls a model. */
import { api, done, Problem, type Schemas } from "../api/client";
import type { Assembled, CallRecord, HowBody, Report } from "../api/types";
import type { Tried } from "./tried";
import type { Dialect } from "./words";

/** A call of a space, or one of your own through the drop-in endpoints. */
export interface CallPlace {
  space: string | null;
  call: string;
}

export const callOf = ({ space, call }: CallPlace, signal: AbortSignal): Promise<CallRecord> =>
  space
    ? done(api.GET("/api/spaces/{space}/calls/{call}", { params: { path: { space, call } }, signal }))
    : done(api.GET("/api/calls/{call}", { params: { path: { call } }, signal }));

/** Null where none is kept: the request was passed on untouched, or came from a file. */
export async function reportOf({ space, call }: CallPlace, signal: AbortSignal): Promise<Report | null> {
  try {
    return space
      ? await done(api.GET("/api/spaces/{space}/calls/{call}/report", { params: { path: { space, call } }, signal }))
      : await done(api.GET("/api/calls/{call}/report", { params: { path: { call } }, signal }));
  } catch (fault) {
    return notKept(fault);
  }
}

const asText = { parseAs: "text" } as const;

/** What went over the wire; null where it is not kept. */
export async function bytesOf(
  { space, call }: CallPlace,
  which: "request" | "response",
  signal: AbortSignal,
): Promise<string | null> {
  try {
    if (space) {
      const of = { params: { path: { space, call } }, signal, ...asText };
      return which === "request"
        ? await done<string>(api.GET("/api/spaces/{space}/calls/{call}/request", of) as Bytes)
        : await done<string>(api.GET("/api/spaces/{space}/calls/{call}/response", of) as Bytes);
    }
    const of = { params: { path: { call } }, signal, ...asText };
    return which === "request"
      ? await done<string>(api.GET("/api/calls/{call}/request", of) as Bytes)
      : await done<string>(api.GET("/api/calls/{call}/response", of) as Bytes);
  } catch (fault) {
    return notKept(fault);
  }
}

/** The document says that these answers are JSON; they are whatever was sent. */
type Bytes = Promise<{ data?: string; error?: unknown; response: Response }>;

function notKept(fault: unknown): null {
  if (fault instanceof Problem && (fault.status === 404 || fault.status === 410)) return null;
  throw fault;
}

export interface Next {
  space: string;
  as: string | null;
  /** Where the path ends, if not at your own head. Of a reply in a chat only. */
  head: string | null;
  /** The call before it, for what a cache keeps. */
  previous: string | null;
  dialect: Dialect | null;
  /** What is written and not yet sent. Of a reply in a chat only. */
  input: string | null;
  /** How this browser wants replies. */
  how: HowBody;
  /** Other choices. */
  tried: Tried | null;
}

/** What is tried lies over how replies are wanted. */
function how({ how, tried }: Next): Pick<Schemas["ToAssemble"], "model" | "sampling" | "maxTokens" | "settings"> {
  const { model, sampling, maxTokens } = how;
  const settings = { ...how.settings, ...tried?.settings };
  const most = tried?.settings.maxTokens ? undefined : maxTokens;
  const all = {
    model: tried?.model ?? model,
    sampling,
    maxTokens: most,
    settings: isEmpty(settings) ? undefined : settings,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}

const isEmpty = (object: object) => Object.keys(object).length === 0;

export async function assemble(next: Next, signal: AbortSignal): Promise<Assembled> {
  const body: Schemas["ToAssemble"] = {
    agent: next.as,
    ...(next.head ? { head: next.head } : {}),
    ...(next.dialect ? { dialect: next.dialect } : {}),
    ...(next.input ? { input: next.input } : {}),
    ...how(next),
  };
  const ask = (more: Partial<Schemas["ToAssemble"]>) =>
    done(
      api.POST("/api/spaces/{space}/assemble", {
        params: { path: { space: next.space } },
        body: { ...body, ...more },
        signal,
      }),
    );
  if (!next.previous) return ask({});
  try {
    return await ask({ previous: next.previous });
  } catch (fault) {
    // A call in another wire format, not kept any more or not yours cannot be compared: the request is what is asked for.
    const other = fault instanceof Problem && [400, 403, 404, 410].includes(fault.status);
    if (!other) throw fault;
    return ask({});
  }
}

export const callsOf = (space: string | null, after: string | null, limit: number, signal: AbortSignal) => {
  const query = { limit, ...(after ? { after } : {}) };
  return space
    ? done(api.GET("/api/spaces/{space}/calls", { params: { path: { space }, query }, signal }))
    : done(api.GET("/api/calls", { params: { query }, signal }));
};

const PAGE = 500;
export const MOST_CALLS = 5_000;

/** Calls of a space, newest first, up to a bound. */
export async function manyCalls(space: string, signal: AbortSignal): Promise<{ calls: CallRecord[]; all: boolean }> {
  const calls: CallRecord[] = [];
  let after: string | null = null;
  do {
    const page: Schemas["CallPage"] = await callsOf(space, after, PAGE, signal);
    calls.push(...page.calls);
    after = page.next ?? null;
  } while (after && calls.length < MOST_CALLS);
  return { calls, all: after === null };
}
