/** Who said something: a name, and a sign for what they are. */
import type { Node } from "../api/types";
import { useTalking } from "./talking";

const GLYPH = { human: "", agent: "⌬", service: "⚙" } as const;

export function Author({ id, node }: { id: string; node?: Node }) {
  const { me, nameOf, kindOf } = useTalking();
  const kind = kindOf(id);
  const called = nameOf(id);
  return (
    <span className="author">
      <strong className="cut" title={called}>
        {id === me ? "You" : called}
      </strong>
      {kind && GLYPH[kind] && (
        <span role="img" aria-label={kind} title={kind} className="soft">
          {GLYPH[kind]}
        </span>
      )}
      {node?.role && kind === null && <span className="soft small">{node.role}</span>}
    </span>
  );
}
