/** What was said, found as one types. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, done, told } from "../api/client";
import { useHouse } from "../live/house";
import { usePlace } from "../shell/title";
import { Button, Empty, FaultBox, Spinner } from "../ui/controls";
import { count } from "../ui/numbers";
import { bySpace } from "./found";
import { Group } from "./Group";
import "./search.css";

const PAUSE = 220;
const AT_ONCE = 40;
const LONGEST = 500;

export function Page() {
  const { q = "", space } = useSearch({ from: "/inside/search" });
  const navigate = useNavigate();
  const { spaces } = useHouse();
  const [typed, setTyped] = useState(q);
  usePlace(q ? `Search: ${q}` : "Search");
  const look = (next: { q?: string; space?: string }) =>
    void navigate({ to: "/search", search: (before) => ({ ...before, ...next }), replace: true });
  // The address is the truth; what is typed gets there after a pause.
  useEffect(() => setTyped((now) => (now.trim() === q ? now : q)), [q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => look({ q: typed.trim() || undefined }), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div className="page search-page">
      <h1 className="unseen">Search</h1>
      <search className="row wrap">
        <input
          // biome-ignore lint/a11y/noAutofocus: one comes here to type
          autoFocus
          className="input grow"
          type="search"
          aria-label="What was said"
          placeholder="What was said…"
          maxLength={LONGEST}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <select
          className="input short"
          aria-label="Where"
          value={space ?? ""}
          onChange={(event) => look({ space: event.target.value || undefined })}
        >
          <option value="">In all spaces</option>
          {spaces.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name || "Unnamed"}
            </option>
          ))}
        </select>
      </search>
      <p className="soft small">
        All words are looked for. <code>"words in quotes"</code> stand together, <code>wor*</code> begins a word,{" "}
        <code>-word</code> must not be there.
      </p>
      {q ? <Found q={q} space={space} /> : <Empty title="Search everything that was said in your spaces" />}
    </div>
  );
}

function Found({ q, space }: { q: string; space?: string }) {
  const { data, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ["search", q, space ?? null],
      queryFn: ({ pageParam, signal }) =>
        done(
          api.GET("/api/search", {
            params: {
              query: { q, limit: AT_ONCE, ...(space ? { space } : {}), ...(pageParam ? { after: pageParam } : {}) },
            },
            signal,
          }),
        ),
      initialPageParam: "",
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: (before) => before,
    });
  const hits = data?.pages.flatMap((page) => page.hits) ?? [];
  // A page may be empty and have a next one.
  const searchesOn = hits.length === 0 && hasNextPage;
  useEffect(() => {
    if (searchesOn && !isFetchingNextPage && !error) void fetchNextPage();
  }, [searchesOn, isFetchingNextPage, error, fetchNextPage]);
  if (error && hits.length === 0) return <FaultBox text={told(error)} again={() => void refetch()} />;
  if (isPending || searchesOn) return <Spinner label="Searching" />;
  if (hits.length === 0) {
    return (
      <Empty title="Nothing was said like that">
        Fewer words find more, and <code>wor*</code> finds words that begin so.
      </Empty>
    );
  }
  return (
    <div className={isPlaceholderData ? "stale" : ""} aria-busy={isPlaceholderData}>
      <p className="soft small" role="status">
        {count(hits.length, "message")}
        {hasNextPage ? " so far" : ""}, newest first
      </p>
      {bySpace(hits).map((group) => (
        <Group key={group.space} space={group.space} hits={group.hits} />
      ))}
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Searching…" : "Earlier ones"}
        </Button>
      )}
    </div>
  );
}
