/** Which nodes of two paths are versions of each other. */
import type { Node } from "../api/types";

/** The first version of a node, as far as its versions are known. */
function origin(node: Node, known: ReadonlyMap<string, Node>): string {
  let at = node;
  for (let steps = 0; at.editedFrom && steps < 100; steps++) {
    const before = known.get(at.editedFrom);
    if (!before) return at.editedFrom;
    at = before;
  }
  return at.id;
}

/** The other version of a node on the other path, by id, both ways. */
export function pairs(one: Node[], other: Node[]): Map<string, Node> {
  const known = new Map([...one, ...other].map((node) => [node.id, node]));
  const byOrigin = new Map(one.map((node) => [origin(node, known), node]));
  const all = new Map<string, Node>();
  for (const node of other) {
    const version = byOrigin.get(origin(node, known));
    if (!version || version.id === node.id) continue;
    all.set(node.id, version);
    all.set(version.id, node);
  }
  return all;
}
