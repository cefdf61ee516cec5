/**
 * A whole tree at a glance: what hangs on what. It only grows and its nodes change in place, so that whoever drew one finds it
 * again; whoever shows it is told a version.
 */
import type { Glance, Node, Part, SaidNode } from "../api/types";

export interface Twig {
  glance: Glance;
  parent: Twig | null;
  children: Twig[];
}

export type Flag = "excluded" | "pruned" | "pinned" | "bookmarked" | "contextEdge";

export const has = (twig: Twig, flag: Flag) => twig.glance.flags.includes(flag);

export class Tree {
  readonly twigs = new Map<string, Twig>();
  readonly roots: Twig[] = [];
  /** The place of the newest node in the order of the space. */
  last = 0;

  get size() {
    return this.twigs.size;
  }

  of = (id: string | null | undefined): Twig | undefined => (id ? this.twigs.get(id) : undefined);

  /** Whether a node can be put in: what it hangs on is known. */
  takes = (glance: Glance) => !glance.parent || this.twigs.has(glance.parent);

  /** A node, new or changed; the new twig, if it is new. */
  put(glance: Glance): Twig | null {
    this.last = Math.max(this.last, glance.seq);
    const known = this.twigs.get(glance.id);
    if (known) {
      known.glance = glance;
      return null;
    }
    const parent = this.of(glance.parent) ?? null;
    const twig: Twig = { glance, parent, children: [] };
    this.twigs.set(glance.id, twig);
    (parent ? parent.children : this.roots).push(twig);
    return twig;
  }

  /** From the root to a node. */
  path(id: string | null | undefined): Twig[] {
    const path: Twig[] = [];
    for (let at = this.of(id) ?? null; at; at = at.parent) path.push(at);
    return path.reverse();
  }
}

/** The last node that two paths share, and how many they share. */
export function common(one: Twig[], other: Twig[]): { at: Twig | null; shared: number } {
  let shared = 0;
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared++;
  return { at: one[shared - 1] ?? null, shared };
}

/** The newest end of the branch through a node. */
export function tip(twig: Twig): Twig {
  let at = twig;
  for (;;) {
    const next = at.children.filter(continues).at(-1);
    if (!next) return at;
    at = next;
  }
}

export const continues = (twig: Twig) => twig.glance.edge === "continuation" && !has(twig, "pruned");

/** Where branches end, newest first. */
export function tips(tree: Tree): Twig[] {
  const ends = [...tree.twigs.values()].filter((twig) => continues(twig) && !twig.children.some(continues));
  return ends.sort((one, other) => other.glance.seq - one.glance.seq);
}

/** How a text begins, on one line. */
export const onOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** The words of a node. */
export const textOf = (node: Node) =>
  ((node.parts ?? []) as Part[]).map((part) => (part.type === "text" ? part.text : "")).join("");

const BEGINNING = 80;

/** A node as it is heard of, at a glance. */
export function glanceOf({ seq, node }: SaidNode): Glance {
  const flags: Flag[] = [];
  if (node.excluded) flags.push("excluded");
  if (node.pruned) flags.push("pruned");
  if (node.pinned) flags.push("pinned");
  if (node.bookmarked) flags.push("bookmarked");
  if (node.contextEdge) flags.push("contextEdge");
  const text = textOf(node);
  return {
    id: node.id,
    parent: node.parent ?? null,
    seq,
    author: node.author,
    kind: node.kind ?? "message",
    status: node.status ?? "sent",
    edge: node.edge ?? "continuation",
    flags,
    purged: node.purged ?? false,
    createdAt: node.createdAt ?? null,
    text: [...text].slice(0, BEGINNING).join(""),
  };
}
