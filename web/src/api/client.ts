/**
 * The only way to the server. Types come from its OpenAPI document; a fault becomes a `Problem`.
 *
 * Every POST has an `Idempotency-Key`, so a request whose answer was lost is sent again without being done twice.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

/** What does not fit, in numbers. */
export type Misfit = Required<Pick<Schemas["Problem"], "what" | "needed" | "limit" | "largest">>;

/** A fault, as the server tells it; `code` is a word to act on. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
    readonly status: number,
    readonly at?: string | null,
    /** Where something does not fit: what, and by how much. */
    readonly misfit?: Misfit,
  ) {
    super(detail);
    this.name = "Problem";
  }
}

/** The server cannot be reached. */
export const UNREACHABLE = "unreachable";

/** A key for something that is to be done once. `crypto.randomUUID` is missing where there is no encryption. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const TRIES = 3;
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Sends; once more where the network failed and doing it twice does no harm. */
async function send(request: Request): Promise<Response> {
  const again = request.method !== "POST" || request.headers.has("Idempotency-Key");
  for (let tried = 1; ; tried++) {
    try {
      return await fetch(request.clone());
    } catch (fault) {
      if (request.signal.aborted || !again || tried === TRIES) throw fault;
      await wait(300 * tried);
    }
  }
}

export const api = createClient<paths>({ baseUrl: location.origin, fetch: send });

api.use({
  onRequest({ request }) {
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", newKey());
    }
    return request;
  },
});

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The answer, or a `Problem` thrown. */
export async function done<T>(asked: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await asked;
  } catch (fault) {
    if (fault instanceof DOMException && fault.name === "AbortError") throw fault;
    throw new Problem(UNREACHABLE, "The server cannot be reached.", 0);
  }
  if (answer.response.ok) return answer.data as T;
  throw problemOf(answer.error, answer.response);
}

/** What went wrong, from the body of an answer. */
export function problemOf(body: unknown, response: Response): Problem {
  const told = (typeof body === "object" && body ? body : {}) as Partial<Schemas["Problem"]>;
  const detail = told.detail ?? `${response.status} ${response.statusText}`;
  const { what, needed, limit, largest } = told;
  const misfit =
    what && needed !== undefined && limit !== undefined ? { what, needed, limit, largest: largest ?? [] } : undefined;
  return new Problem(told.code ?? "internal", detail, response.status, told.at, misfit);
}

/** Anything that was thrown, as a fault. */
export function asProblem(fault: unknown): Problem {
  return fault instanceof Problem ? fault : new Problem("internal", told(fault), 0);
}

/** What to say of anything that was thrown. */
export function told(fault: unknown): string {
  if (fault instanceof Problem) return fault.at ? `${fault.at}: ${fault.detail}` : fault.detail;
  return fault instanceof Error ? fault.message : String(fault);
}
