/** What can be done with what was said. Each act says what it did, and most can be taken back. */
import { api, done, newKey, type Schemas } from "../api/client";
import type { Node, OnPath, Part } from "../api/types";
import type { Room } from "../live/room";
import { attempt, say } from "../ui/toasts";
import { howOf } from "./how";
import { siblingsOf } from "./siblings";
import { remember } from "./undo";

export type Flag = keyof Schemas["Flags"];
export type Acts = ReturnType<typeof actsOf>;

const DONE: Record<Flag, [on: string, off: string]> = {
  pinned: ["Pinned: it is always sent.", "No longer pinned."],
  excluded: ["Excluded: models do not see it.", "It is sent again."],
  bookmarked: ["Bookmarked.", "No longer bookmarked."],
  contextEdge: ["Nothing before this is sent any more.", "What came before is sent again."],
  pruned: ["Deleted: it is hidden, and not sent.", "It is back."],
};

/** What is tried again is done once: its model is paid once. */
type Once = { "Idempotency-Key": string };
const onceOnly = (): Once => ({ "Idempotency-Key": newKey() });

/** `solo` if one person alone is here: then there is one head, and it is the space's. */
export function actsOf(room: Room, solo: boolean) {
  const space = room.id;
  const at = (node: string) => ({ path: { space, node } });
  const put = async (node: string, tip: boolean) => {
    const moved = await done(
      api.PUT("/api/spaces/{space}/head", { params: { path: { space } }, body: { node, tip, default: solo } }),
    );
    await room.refresh();
    return moved;
  };
  const set = async (node: string, flag: Flag, on: boolean) => {
    room.node(await done(api.PATCH("/api/spaces/{space}/nodes/{node}", { params: at(node), body: { [flag]: on } })));
  };
  /** Where one is before something moves the head; afterwards the way back is known. */
  const fromHere = async <T>(
    says: string,
    act: (once: Once) => Promise<T>,
    how: "told" | "silent" = "told",
  ): Promise<T | undefined> => {
    const before = room.state.head;
    const once = onceOnly();
    return attempt(async () => {
      const answer = await act(once);
      if (before) remember(space, says, () => put(before, false), how);
      return answer;
    });
  };
  return {
    /** Moves the head: to the node itself, or to the newest end of its branch. */
    go: (node: string, tip: boolean, says = "You are on another branch.") => fromHere(says, () => put(node, tip)),
    /** Goes to the version before or after; where a path is only looked at, only looks at it. */
    turn: async (said: OnPath, step: 1 | -1, look: (node: string) => void) => {
      if (said.siblings < 2) return;
      const ids = await attempt(() => siblingsOf(room, said));
      const here = ids?.indexOf(said.node.id) ?? -1;
      const next = here >= 0 ? ids?.[here + step] : undefined;
      if (next && room.fixed !== null) look(next);
      else if (next) await fromHere("You went to another version.", () => put(next, true), "silent");
      else if (ids) say(step > 0 ? "This is the last version." : "This is the first version.");
    },
    flag: (node: string, flag: Flag, on: boolean) =>
      attempt(async () => {
        await set(node, flag, on);
        remember(space, DONE[flag][on ? 0 : 1], () => set(node, flag, !on));
      }),
    remove: (node: Node) =>
      attempt(async () => {
        await done(api.DELETE("/api/spaces/{space}/nodes/{node}", { params: at(node.id) }));
        await room.refresh();
        remember(space, DONE.pruned[0], () => set(node.id, "pruned", false));
      }),
    edit: (node: string, parts: Part[], answer: "reply" | "nobody") =>
      fromHere("Said otherwise, as a branch.", (headers) =>
        done(
          api.POST("/api/spaces/{space}/nodes/{node}/edit", {
            params: at(node),
            headers,
            body: { parts, how: howOf(space), silent: answer === "nobody" },
          }),
        ),
      ),
    retry: (node: string) =>
      fromHere("Asked again; the old reply stands beside it.", (headers) =>
        done(
          api.POST("/api/spaces/{space}/nodes/{node}/retry", {
            params: at(node),
            headers,
            body: { how: howOf(space) },
          }),
        ),
      ),
    /** Lets the agent go on from a node. */
    goOn: (node: string) =>
      fromHere("The agent goes on from there.", async (headers) => {
        if (node !== room.state.head) await put(node, false);
        await done(
          api.POST("/api/spaces/{space}/continue", {
            params: { path: { space } },
            headers,
            body: { how: howOf(space) },
          }),
        );
      }),
    /** Asks for several replies at a node. */
    generate: (node: string, amount: number) =>
      fromHere(`Asked for ${amount} replies; ‹ › walks between them.`, async (headers) => {
        if (node !== room.state.head) await put(node, false);
        const ways = Array.from({ length: amount }, () => howOf(space));
        await done(api.POST("/api/spaces/{space}/generate", { params: { path: { space } }, headers, body: { ways } }));
      }),
    stop: (node: string) =>
      attempt(() => done(api.POST("/api/spaces/{space}/nodes/{node}/stop", { params: at(node) }))),
    summarize: (keep: number) => {
      const headers = onceOnly();
      const asked = { params: { path: { space } }, headers, body: { keep } };
      return attempt(() => done(api.POST("/api/spaces/{space}/summaries", asked)));
    },
    title: () => {
      const headers = onceOnly();
      return attempt(() => done(api.POST("/api/spaces/{space}/titles", { params: { path: { space } }, headers })));
    },
  };
}
