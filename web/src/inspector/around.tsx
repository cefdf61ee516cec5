/** What is known around a request: who said a node, what it says, what it hangs on, how to go to it. */
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { api, done } from "../api/client";
import type { Glance, Node } from "../api/types";
import { useLook, useNames, useOpened } from "../space/context";
import type { Parent } from "./fates";
import type { Said } from "./window";

export interface Around {
  /** The space; none of calls that belong to none. */
  space: string | null;
  said: (node: string) => Said | null;
  parent: Parent;
  name: (entity: string) => string;
  /** Goes to a message; none where there are none to go to. */
  goTo: ((node: string) => void) | null;
}

export const NOWHERE: Around = {
  space: null,
  said: () => null,
  parent: () => undefined,
  name: (entity) => entity,
  goTo: null,
};

const Context = createContext<Around>(NOWHERE);
export const AroundProvider = Context.Provider;
export const useAround = () => useContext(Context);

/** What a node says, in short. */
export function textOf(node: Node): string {
  const words = (node.parts ?? []).map((part) => {
    if ("redacted" in part) return "";
    if ("text" in part) return part.text;
    return "args" in part ? `→ ${part.name}` : "";
  });
  return words.filter(Boolean).join("\n");
}

const PAGE = 10_000;
const MOST = 300_000;

/** Every node of a space at a glance. They never change in what is read here, so only new ones are asked for. */
class Glances {
  readonly known = new Map<string, Glance>();
  private last = 0;
  private loading: Promise<void> | null = null;

  constructor(private readonly space: string) {}

  load(): Promise<void> {
    this.loading ??= this.more().finally(() => {
      this.loading = null;
    });
    return this.loading;
  }

  private async more() {
    for (;;) {
      const query = { limit: PAGE, after: this.last };
      const page = await done(api.GET("/api/spaces/{space}/tree", { params: { path: { space: this.space }, query } }));
      for (const node of page.nodes) this.known.set(node.id, node);
      this.last = page.nodes.at(-1)?.seq ?? this.last;
      if (page.nodes.length < PAGE || this.known.size >= MOST) return;
    }
  }
}

let kept: { space: string; glances: Glances } | null = null;

function glancesOf(space: string): Glances {
  if (kept?.space !== space) kept = { space, glances: new Glances(space) };
  return kept.glances;
}

/** What is around the requests of the open space. The tree is read again with each `revision`. */
export function useSpaceAround(space: string, revision: number): Around {
  const { state } = useOpened();
  const [, look] = useLook();
  const name = useNames();
  const glances = useMemo(() => glancesOf(space), [space]);
  const [read, setRead] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a revision is a reason to read on
  useEffect(() => {
    let gone = false;
    glances.load().then(
      () => gone || setRead((count) => count + 1),
      // Without it messages have no names here; the requests themselves are shown all the same.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [glances, revision]);
  const shown = useMemo(() => new Map(state.nodes.map(({ node }) => [node.id, node])), [state.nodes]);
  const agents = useMemo(
    () => new Set(state.members.filter((one) => one.type === "agent").map((one) => one.id)),
    [state.members],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read since is told of
  const said = useCallback(
    (id: string): Said | null => {
      const node = shown.get(id);
      const glance = node ? null : glances.known.get(id);
      if (node) return { author: node.author, agent: agents.has(node.author), text: textOf(node) };
      return glance ? { author: glance.author, agent: agents.has(glance.author), text: glance.text } : null;
    },
    [shown, glances, agents, read],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read since is told of
  const parent = useCallback<Parent>(
    (id) => (shown.get(id) ?? glances.known.get(id))?.parent ?? undefined,
    [shown, glances, read],
  );
  const goTo = useCallback(
    (node: string) => look({ node, map: undefined, beside: undefined, full: undefined }),
    [look],
  );
  return useMemo(() => ({ space, said, parent, name, goTo }), [space, said, parent, name, goTo]);
}
