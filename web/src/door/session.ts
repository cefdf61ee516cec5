/** Who is signed in, and how they cease to be. */
import type { QueryClient } from "@tanstack/react-query";
import { api, done, Problem } from "../api/client";
import type { Me } from "../api/types";
import { keep, kept } from "../shell/kept";

export const ME = ["me"];

/** Why nobody is signed in. */
export type Out = "stranger" | "ended" | "left";
let out: Out = "stranger";
export const whyOut = () => out;

/** Who is signed in; null if nobody is. Only a demo on this machine lets somebody in by itself. */
export async function whoAmI(): Promise<Me | null> {
  const me = await session();
  if (me) return me;
  try {
    return await done(api.POST("/api/session/demo"));
  } catch (fault) {
    if (fault instanceof Problem && fault.status >= 400 && fault.status < 500) return null;
    throw fault;
  }
}

/** Who this browser is signed in as, and no more. */
export async function session(): Promise<Me | null> {
  try {
    return await done(api.GET("/api/session"));
  } catch (fault) {
    if (fault instanceof Problem && fault.status === 401) return null;
    throw fault;
  }
}

export async function signOut(queries: QueryClient) {
  await done(api.DELETE("/api/session"));
  shut(queries, "left");
}

/** Nobody is signed in any more: what was read is forgotten, the address stays for when they come back. */
export function shut(queries: QueryClient, why: Out) {
  out = why;
  if (why === "ended") keep("back", location.pathname + location.search);
  queries.setQueryData(ME, null);
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== ME[0] });
}

/** Where somebody was when their session ended; told once. Only a place of this page. */
export function wayBack(): string | null {
  const back = kept("back");
  keep("back", null);
  return back?.startsWith("/") && !back.startsWith("//") && !back.startsWith("/join/") ? back : null;
}

/** Called for every answer: a session that ended while the page was open is known by it. */
export function onRefused(tell: () => void) {
  const watch = {
    onResponse({ request, response }: { request: Request; response: Response }) {
      const path = new URL(request.url).pathname;
      if (response.status === 401 && !path.startsWith("/api/session")) tell();
      return undefined;
    },
  };
  api.use(watch);
  return () => api.eject(watch);
}
