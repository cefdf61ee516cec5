/** The whole text of a path, to take along. */
import { api, done } from "../api/client";
import { textOf } from "../map/tree";
import { copy, download } from "../ui/hand";
import { attempt } from "../ui/toasts";

const PAGE = 1000;

/** All of it, whatever of it is loaded; what is excluded is left out, as it is for models. */
async function whole(space: string, head: string | null): Promise<string> {
  const texts: string[] = [];
  let before: string | undefined;
  for (;;) {
    const query = { limit: PAGE, ...(head ? { head } : {}), ...(before ? { before } : {}) };
    const path = await done(api.GET("/api/spaces/{space}/path", { params: { path: { space }, query } }));
    const shown = path.nodes.filter(
      ({ node }) => (node.kind ?? "message") === "message" && !node.excluded && !node.pruned,
    );
    texts.unshift(...shown.map(({ node }) => textOf(node)));
    before = path.nodes[0]?.node.id;
    if (!path.earlier || !before) return texts.join("");
  }
}

export const copyAll = (space: string, head: string | null) =>
  attempt(async () => {
    await copy(await whole(space, head), "The whole text is copied.");
  });

export const saveAll = (space: string, head: string | null, name: string) =>
  attempt(async () => {
    const file = `${name.replace(/[^\p{L}\p{N} _-]+/gu, " ").trim() || "text"}.txt`;
    download(await whole(space, head), file, "text/plain");
  });
