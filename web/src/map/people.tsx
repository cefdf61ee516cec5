/** How authors look on a map: people round, agents square, services a diamond; a tint for each. */
import { useCallback, useMemo } from "react";
import type { Person } from "../api/types";
import { useNames } from "../space/context";
import { TINTS } from "./colours";
import type { Look } from "./paint";
import type { Tree } from "./tree";

export interface Author {
  id: string;
  name: string;
  model: string | null;
  look: Look;
}

const SHAPES = { human: "round", agent: "square", service: "diamond" } as const;

/** Everybody who wrote in a tree, and how each looks. People and agents take turns with the tints, so a chat has two. */
export function useAuthors(
  tree: Tree,
  version: number,
  members: Person[],
): { authors: Author[]; look: (author: string) => Look } {
  const names = useNames();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  const ids = useMemo(
    () => [...new Set([...tree.twigs.values()].map((twig) => twig.glance.author))].join("\n"),
    [tree, version],
  );
  const authors = useMemo(() => {
    const known = new Map(members.map((one) => [one.id, one]));
    const all = ids ? ids.split("\n") : [];
    return all.map((id, at): Author => {
      const person = known.get(id);
      const shape = SHAPES[person?.type ?? "human"];
      return { id, name: names(id), model: person?.model ?? null, look: { shape, tint: at % TINTS.length } };
    });
  }, [ids, members, names]);
  const looks = useMemo(() => new Map(authors.map((one) => [one.id, one.look])), [authors]);
  const look = useCallback((author: string): Look => looks.get(author) ?? UNKNOWN, [looks]);
  return { authors, look };
}

const UNKNOWN: Look = { shape: "round", tint: 0 };

export function Glyph({ look }: { look: Look }) {
  return <span className={`glyph ${look.shape}`} data-tint={TINTS[look.tint % TINTS.length]} aria-hidden="true" />;
}

export function Legend({ authors }: { authors: Author[] }) {
  return (
    <ul className="map-legend small" aria-label="Who is who">
      {authors.slice(0, 12).map((one) => (
        <li key={one.id} title={one.model ?? undefined}>
          <Glyph look={one.look} />
          <span className="cut">{one.name}</span>
        </li>
      ))}
    </ul>
  );
}
