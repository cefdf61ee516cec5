/** All calls of a space, page by page, to choose one of them. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { told } from "../api/client";
import type { CallRecord } from "../api/types";
import { Button, Empty, FaultBox, Spinner } from "../ui/controls";
import { atFull, money, number } from "../ui/numbers";
import { Dialog } from "../ui/overlay";
import { useAround } from "./around";
import { callsOf } from "./ask";
import { readOf } from "./cost";
import { OUTCOMES, PURPOSES } from "./words";

export function usePages(space: string | null) {
  return useInfiniteQuery({
    queryKey: ["calls", space, "pages"],
    queryFn: ({ pageParam, signal }) => callsOf(space, pageParam, 50, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

/** A call in words, to be found by. */
export function callWords(call: CallRecord, name: (entity: string) => string): string {
  const who = call.agent ? name(call.agent) : null;
  return [
    call.at ? atFull(call.at) : "no time",
    who,
    PURPOSES[call.purpose],
    call.model,
    call.outcome && OUTCOMES[call.outcome],
  ]
    .filter(Boolean)
    .join(" · ");
}

export function CallsDialog({
  space,
  choose,
  close,
}: {
  space: string;
  choose: (call: string) => void;
  close: () => void;
}) {
  const { name } = useAround();
  const [wanted, setWanted] = useState("");
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = usePages(space);
  const calls = data?.pages.flatMap((page) => page.calls) ?? [];
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = calls.filter((call) => {
    const all = callWords(call, name).toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return (
    <Dialog title="Calls of this space" wide close={close}>
      <input
        className="input"
        type="search"
        aria-label="Filter by time, agent, purpose or model"
        placeholder="Filter by time, agent, purpose or model"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      {isPending && <Spinner />}
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {data && calls.length === 0 && <Empty title="Nothing was sent here yet">A reply makes the first call.</Empty>}
      {calls.length > 0 && found.length === 0 && <p className="soft">None of those loaded so far.</p>}
      <ul className="call-list">
        {found.map((call) => (
          <li key={call.id}>
            <button
              type="button"
              onClick={() => {
                choose(call.id);
                close();
              }}
            >
              <span className="grow">{callWords(call, name)}</span>
              <span className="figure small soft">
                {call.usage ? `${number(readOf(call.usage))} in, ${number(call.usage.output ?? 0)} out` : "no usage"} ·{" "}
                {money(call.costUsd)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading" : "Earlier calls"}
        </Button>
      )}
    </Dialog>
  );
}
