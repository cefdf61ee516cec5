/** What a reply used: tokens read and written, how much of it came from a cache, what it cost. */
import type { Node, Usage } from "../api/types";
import { compact, money, number, share } from "../ui/numbers";
import { useCall } from "./ledger";
import { useTalking } from "./talking";

export function readAll(usage: Usage): number {
  return (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}

export function Figures({ node }: { node: Node }) {
  const { room } = useTalking();
  const call = useCall(room.id, node);
  const usage = node.usage ?? call?.usage;
  if (!usage && !node.model) return null;
  const all = usage ? readAll(usage) : 0;
  const says = usage
    ? `${number(all)} tokens read, ${number(usage.output ?? 0)} written, ${share(usage.cacheRead ?? 0, all)} from the cache` +
      (call
        ? `, ${call.costUsd === null || call.costUsd === undefined ? "price not known" : money(call.costUsd)}`
        : "") +
      (call?.estimated ? "; counted here, the provider told nothing" : "")
    : "";
  return (
    <span className="figures soft" title={[node.model, says].filter(Boolean).join(" · ")}>
      {node.model && <span className="figures-model cut">{node.model}</span>}
      {usage && (
        <>
          <span className="unseen">{says}</span>
          <span aria-hidden="true">
            ↑{compact(all)} ↓{compact(usage.output ?? 0)}
            {(usage.cacheRead ?? 0) > 0 && ` ⚡${share(usage.cacheRead ?? 0, all)}`}
            {call && ` ${money(call.costUsd)}`}
          </span>
        </>
      )}
    </span>
  );
}
