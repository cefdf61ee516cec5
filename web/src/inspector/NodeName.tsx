/** A message in a line: who said it and how it begins. It leads to it. */
import { useAround } from "./around";

export function NodeName({ node, nodes = 1 }: { node: string; nodes?: number }) {
  const { said, name, goTo } = useAround();
  const found = said(node);
  const start = found?.text.trim().split("\n")[0] ?? "";
  const words = (
    <>
      {found && <strong>{name(found.author)}</strong>} {start || (found ? <em>without words</em> : <code>{node}</code>)}
      {nodes > 1 && " …"}
    </>
  );
  if (!goTo || !found) return <span className="node-name cut">{words}</span>;
  return (
    <button type="button" className="node-name cut" title={start || node} dir="auto" onClick={() => goTo(node)}>
      {words}
    </button>
  );
}
