/**
 * What a writer does in a loom: goes on writing, asks for ways on, tries them, takes one, walks back.
 *
 * Trying shows a way on without going there; taking it moves the head. What was typed is committed before anything goes on from it.
 */
import { useMemo, useRef, useState } from "react";
import { api, done, Problem, told } from "../api/client";
import { useTree } from "../map/feed";
import { continues, has, type Twig } from "../map/tree";
import { keep, kept } from "../shell/kept";
import { useOpened } from "../space/context";
import { writeDraft } from "../space/draft";
import { howOf } from "../space/how";
import type { Talking } from "../space/talking";
import { attempt, say } from "../ui/toasts";
import { waysOf } from "./asked";

export const MOST_WAYS = 8;

/** A request that was refused because it does not fit. */
export interface Refused {
  text: string;
}

/** `typed` gives what is written and not yet committed: asked when it is needed, so that writing draws nothing else. */
export function useLoom({ acts }: Talking, typed: () => string) {
  const { room, state } = useOpened();
  const { tree, version, status } = useTree(room);
  const space = room.id;
  const { head } = state;
  const [tried, setTried] = useState<string | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [busy, setBusy] = useState(false);
  const [amount, setAmountOnce] = useState(() => Number(kept("loom.ways")) || 3);
  /** Where one was last, by what it hangs on. */
  const visited = useRef(new Map<string, string>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  const ahead = useMemo(() => [...waysOn(tree.of(head))], [tree, head, version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  const writing = useMemo(
    () => [...tree.twigs.values()].filter((twig) => twig.glance.status === "pending").map((twig) => twig.glance.id),
    [tree, version],
  );

  const goTo = async (node: string) => {
    const from = head;
    await done(
      api.PUT("/api/spaces/{space}/head", {
        params: { path: { space } },
        body: { node, default: state.members.filter((one) => one.type === "human").length === 1 },
      }),
    );
    if (from)
      for (const twig of tree.path(from)) if (twig.parent) visited.current.set(twig.parent.glance.id, twig.glance.id);
    setTried(null);
    await room.refresh();
  };

  /** Goes to what is tried and commits what was typed behind it. Nobody answers it. */
  const commit = async (): Promise<boolean> => {
    const working = typed();
    if (tried) await goTo(tried);
    if (!working.trim()) return true;
    const posted = await done(
      api.POST("/api/spaces/{space}/messages", {
        params: { path: { space } },
        body: { text: working, answer: "nobody" },
      }),
    );
    // What was typed meanwhile stays.
    const now = typed();
    writeDraft(space, now.startsWith(working) ? now.slice(working.length) : now);
    room.node(posted.message);
    await room.refresh();
    return true;
  };

  const refusing = async (act: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setRefused(null);
    await attempt(async () => {
      try {
        await act();
      } catch (fault) {
        if (!(fault instanceof Problem) || fault.status !== 422) throw fault;
        setRefused({ text: told(fault) });
      }
    });
    setBusy(false);
  };

  return {
    tree,
    version,
    ready: status === "ready",
    tried,
    ahead,
    writing,
    refused,
    busy,
    amount,
    forgive: () => setRefused(null),
    setAmount: (next: number) => {
      keep("loom.ways", String(next));
      setAmountOnce(next);
    },
    tryOut: setTried,
    commit: () => refusing(async () => void (await commit())),
    /** Takes what is tried, or goes on to where one was last. */
    take: (node: string | null = tried) =>
      refusing(async () => {
        const last = visited.current.get(head ?? "");
        const to = node ?? ahead.find((twig) => twig.glance.id === last)?.glance.id ?? ahead.at(-1)?.glance.id;
        if (to) await goTo(to);
        else say("The text ends here.");
      }),
    /** One segment back; what comes after it stays, as a way on. */
    back: () =>
      refusing(async () => {
        const parent = tree.of(head)?.parent;
        if (parent) await goTo(parent.glance.id);
        else say("This is the beginning.");
      }),
    goTo: (node: string) => refusing(() => goTo(node)),
    generate: () =>
      refusing(async () => {
        await commit();
        if (!room.state.head) {
          say("Write a beginning first.");
          return;
        }
        const ways = waysOf(howOf(space), amount, Math.floor(Math.random() * 100_000));
        await done(api.POST("/api/spaces/{space}/generate", { params: { path: { space } }, body: { ways } }));
        setTried(null);
      }),
    stop: () => Promise.all(writing.map((node) => acts.stop(node))),
  };
}

export type Loom = ReturnType<typeof useLoom>;

/** What goes on from a node. */
export const waysOn = (twig: Twig | undefined): Twig[] => (twig?.children ?? []).filter(continues);

/** All versions of a node, itself among them. */
export function versions(twig: Twig | undefined, roots: Twig[]): Twig[] {
  if (!twig) return [];
  const all = twig.parent ? twig.parent.children : roots;
  return all.filter((one) => one === twig || (one.glance.edge === "continuation" && !has(one, "pruned")));
}
