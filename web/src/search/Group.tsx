/** What was found in one space. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEntityName, useSpaceName } from "../agents/names";
import { api, done } from "../api/client";
import { Chip } from "../ui/controls";
import { atFull, when } from "../ui/numbers";
import { type Hit, pieces } from "./found";

const KINDS: Partial<Record<Hit["kind"], string>> = {
  summary: "summary",
  summaryRequest: "asked for a summary",
  title: "title",
  titleRequest: "asked for a title",
  accounting: "accounting",
};

export function Group({ space, hits }: { space: string; hits: Hit[] }) {
  const placeOf = useSpaceName();
  const near = useEntityName();
  // Whoever is not near is asked for in the space itself.
  const strange = hits.some((hit) => near(hit.author) === hit.author);
  const members = useQuery({
    queryKey: ["spaces", space],
    queryFn: () => done(api.GET("/api/spaces/{space}", { params: { path: { space } } })),
    enabled: strange,
    staleTime: 300_000,
  }).data?.members;
  const nameOf = (id: string) => members?.find((one) => one.id === id)?.name ?? near(id);
  return (
    <section className="found" aria-label={placeOf(space) ?? "Space"}>
      <h2>
        <Link to="/s/$space" params={{ space }}>
          {placeOf(space) ?? "Unnamed"}
        </Link>
      </h2>
      <ul>
        {hits.map((hit) => (
          <li key={hit.node}>
            <Link to="/s/$space" params={{ space }} search={{ node: hit.node }} className="hit" preload={false}>
              <span className="row small">
                <strong className="cut">{nameOf(hit.author)}</strong>
                {KINDS[hit.kind] && <Chip>{KINDS[hit.kind]}</Chip>}
                <span className="grow" />
                {hit.at && (
                  <time className="soft" dateTime={hit.at} title={atFull(hit.at)}>
                    {when(hit.at)}
                  </time>
                )}
              </span>
              <span className="words">
                {hit.snippet.cutBefore && "… "}
                {pieces(hit.snippet).map((piece, at) =>
                  piece.marked ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
                )}
                {hit.snippet.cutAfter && " …"}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
