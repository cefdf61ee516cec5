/** How full the model's window will be with the next request, and what that costs: a ring beside the field. */
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { api, done } from "../api/client";
import { compact, money, number } from "../ui/numbers";
import { useLook, useOpened } from "./context";
import { useHow } from "./how";
import { useModel } from "./models";
import { priceOf } from "./prices";
import { useTalking } from "./talking";

/** A first guess of what a text weighs; the exact number comes with the next request. */
export const roughly = (text: string) => Math.ceil(new TextEncoder().encode(text).length / 4);

const R = 8;
const ROUND = 2 * Math.PI * R;

export function Ring({ text }: { text: string }) {
  const { room, agent } = useTalking();
  const { state } = useOpened();
  const [search, look] = useLook();
  const how = useHow(room.id);
  const model = useModel(how.model ?? agent?.model, state.nodes.findLast((one) => one.node.model)?.node.model);
  const typed = roughly(useDeferredValue(text));
  const last = state.nodes.at(-1);
  const settled = last?.node.status !== "pending";
  const figures = useQuery({
    queryKey: ["figures", room.id, state.head, last?.node.status, agent?.id],
    queryFn: () =>
      done(
        api.GET("/api/spaces/{space}/figures", {
          params: { path: { space: room.id }, query: agent ? { agent: agent.id } : {} },
        }),
      ),
    enabled: agent !== null && settled,
    placeholderData: (before) => before,
    staleTime: 5_000,
  });
  if (!agent || !figures.data) return null;
  const { next, contextLength, costUsd, cumulative } = figures.data;
  const fits = next !== null && next !== undefined;
  const tokens = (next ?? 0) + typed;
  const window = how.settings?.contextLength ?? contextLength;
  const part = window > 0 ? Math.min(1, tokens / window) : 0;
  const price = priceOf(model, tokens);
  const spent =
    (cumulative.input ?? 0) + (cumulative.output ?? 0) + (cumulative.cacheRead ?? 0) + (cumulative.cacheWrite ?? 0);
  const says = fits
    ? `Next request: about ${number(tokens)} of ${window > 0 ? number(window) : "an unknown number of"} tokens, ${price === null ? "price not known" : money(price)}. Spent here so far: ${number(spent)} tokens, ${money(costUsd)}.`
    : "The next request does not fit into the window: sum up, or begin afresh.";
  return (
    <button
      type="button"
      className={`ring ${part > 0.85 || !fits ? "full" : ""}`}
      title={`${says} Click to see what fills it.`}
      onClick={() => look({ inspect: search.inspect ? undefined : "window", call: undefined })}
    >
      <span
        role="meter"
        aria-label="Window of the next request"
        aria-valuemin={0}
        aria-valuemax={window || undefined}
        aria-valuenow={tokens}
        aria-valuetext={says}
      >
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <circle cx="10" cy="10" r={R} className="ring-all" />
          <circle cx="10" cy="10" r={R} className="ring-part" strokeDasharray={`${part * ROUND} ${ROUND}`} />
        </svg>
      </span>
      <span aria-hidden="true">
        {fits ? (
          <>
            {window > 0 ? `${Math.round(part * 100)} %` : compact(tokens)}
            <span className="wide-only">
              {window > 0 && ` · ${compact(tokens)} / ${compact(window)}`} · {price === null ? "—" : `~${money(price)}`}
            </span>
          </>
        ) : (
          "does not fit"
        )}
      </span>
    </button>
  );
}
