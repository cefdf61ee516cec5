/** Conversations made for a test, in Weft's own file format. */
import type { APIRequestContext } from "@playwright/test";
import { expect } from "./house";

interface MadeNode {
  id: string;
  parent: string | null;
  author: "p" | "a";
  text?: string;
  [more: string]: unknown;
}

/** Takes a conversation in and gives the id of its space. */
export async function take(api: APIRequestContext, space: Record<string, unknown>, nodes: MadeNode[]): Promise<string> {
  const file = {
    weft: 1,
    space,
    entities: [
      { id: `${space.id}-p`, name: "Petra", type: "human" },
      { id: `${space.id}-a`, name: "Atlas", type: "agent", model: "offline" },
    ],
    nodes: nodes.map(({ text, author, ...node }) => ({
      parts: text === undefined ? [] : [{ type: "text", text }],
      ...node,
      author: `${space.id}-${author}`,
    })),
    head: nodes.at(-1)?.id,
  };
  const came = await api.post("/api/import", {
    data: JSON.stringify(file),
    headers: { "content-type": "application/octet-stream" },
    timeout: 60_000,
  });
  expect(came.ok(), await came.text()).toBe(true);
  return (await came.json()).spaces[0].id as string;
}

/** A long conversation without branches. */
export function long(count: number): MadeNode[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    parent: at === 0 ? null : `n${at - 1}`,
    author: at % 2 === 0 ? ("p" as const) : ("a" as const),
    createdAt: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
    text: `Message ${at}. ${"The tide comes in and goes out again. ".repeat((at * 7) % 9)}`,
  }));
}

/** A tree whose branches part again and again. */
export function bushy(count: number): MadeNode[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    parent: at === 0 ? null : `n${at < 8 ? at - 1 : at % 5 === 0 ? Math.floor(at / 3) : at - 1}`,
    author: at % 2 === 0 ? ("p" as const) : ("a" as const),
    text: `Twig ${at}`,
  }));
}
