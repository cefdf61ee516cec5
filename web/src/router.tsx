/** Every place has an address: reload anywhere and be in the same place. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Door } from "./door/Door";
import { Join } from "./door/Join";
import { Broken } from "./shell/Broken";
import { Lost } from "./shell/Lost";
import { Shell } from "./shell/Shell";
import { SpacePage } from "./space/SpacePage";

export const INSPECTED = ["window", "why", "wire", "cache", "cost", "try"] as const;
export type Inspected = (typeof INSPECTED)[number];

/** What is looked at in a space. */
export interface SpaceSearch {
  /** A message that is gone to. */
  node?: string;
  /** A path that is only looked at. */
  head?: string;
  /** The whole tree instead of one path. */
  map?: true;
  /** Two heads side by side: this one, and the one that is shown. */
  beside?: string;
  /** The open tab of the inspector. */
  inspect?: Inspected;
  /** The call that is inspected; the next one if there is none. */
  call?: string;
  /** The agent through whose eyes it is seen. */
  as?: string;
  /** What it is compared with: a call, `next`, `next:AGENT` or `try`. */
  with?: string;
  /** The wire format in which the next request is shown. */
  dialect?: string;
  /** Whether the inspector has the whole screen. */
  full?: true;
}

const text = (value: unknown) =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;

function spaceSearch(given: Record<string, unknown>): SpaceSearch {
  const inspect = INSPECTED.find((tab) => tab === given.inspect);
  const all: SpaceSearch = {
    node: text(given.node),
    head: text(given.head),
    map: given.map === true || given.map === "true" ? true : undefined,
    beside: text(given.beside),
    inspect,
    call: text(given.call),
    as: text(given.as),
    with: text(given.with),
    dialect: text(given.dialect),
    full: given.full === true || given.full === "true" ? true : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as SpaceSearch;
}

const root = createRootRoute({ notFoundComponent: Lost });
const join = createRoute({ getParentRoute: () => root, path: "/join/$secret", component: Join });
/** Everything behind the door: whoever is not signed in sees the door. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: () => <Door>{() => <Shell />}</Door>,
});

const page = <P extends string>(path: P, load: () => Promise<{ Page: React.ComponentType }>) =>
  createRoute({ getParentRoute: () => inside, path, component: lazyRouteComponent(load, "Page") });

const home = page("/", () => import("./shell/Home"));
const space = createRoute({
  getParentRoute: () => inside,
  path: "/s/$space",
  validateSearch: spaceSearch,
  component: SpacePage,
});
const runs = createRoute({
  getParentRoute: () => inside,
  path: "/runs",
  validateSearch: (given: Record<string, unknown>): { agent?: string; space?: string } => ({
    agent: text(given.agent),
    space: text(given.space),
  }),
  component: lazyRouteComponent(() => import("./runs/Board"), "Page"),
});
const run = page("/runs/$run", () => import("./runs/OneRun"));
const agents = page("/agents", () => import("./agents/Agents"));
const agent = page("/agents/$agent", () => import("./agents/OneAgent"));
const plans = page("/plans", () => import("./agents/Plans"));
const usage = createRoute({
  getParentRoute: () => inside,
  path: "/usage",
  validateSearch: (given: Record<string, unknown>): { since?: string; until?: string; space?: string } => ({
    since: text(given.since),
    until: text(given.until),
    space: text(given.space),
  }),
  component: lazyRouteComponent(() => import("./usage/Usage"), "Page"),
});
const calls = page("/calls/$call", () => import("./inspector/OwnCall"));
const search = createRoute({
  getParentRoute: () => inside,
  path: "/search",
  validateSearch: (given: Record<string, unknown>): { q?: string; space?: string } => ({
    q: text(given.q),
    space: text(given.space),
  }),
  component: lazyRouteComponent(() => import("./search/Search"), "Page"),
});
const moving = page("/import", () => import("./moving/Import"));
const settings = createRoute({
  getParentRoute: () => inside,
  path: "/settings",
  validateSearch: (given: Record<string, unknown>): { tab?: string } => ({ tab: text(given.tab) }),
  component: lazyRouteComponent(() => import("./settings/Settings"), "Page"),
});

const tree = root.addChildren([
  join,
  inside.addChildren([home, space, runs, run, agents, agent, plans, usage, calls, search, moving, settings]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  defaultErrorComponent: Broken,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
