/** The node that is chosen on the map: its words, and what can be done with it. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { api, done, told } from "../api/client";
import type { Part } from "../api/types";
import type { Acts } from "../space/acts";
import { Button, FaultBox, Icon, Spinner } from "../ui/controls";
import { atFull } from "../ui/numbers";
import type { Look } from "./paint";
import { Glyph } from "./people";
import { has, type Twig } from "./tree";

export const HERE = "Your head is here now: what you write goes on from it.";

interface Props {
  space: string;
  acts: Acts;
  twig: Twig;
  look: Look;
  name: string;
  head: string | null;
  paired: string | null;
  go: () => void;
  compare: () => void;
  close: () => void;
}

export function Chosen({ space, acts, twig, look, name, head, paired, go, compare, close }: Props) {
  const { glance } = twig;
  const id = useId();
  return (
    <aside className="map-chosen" aria-labelledby={id}>
      <header className="row">
        <Glyph look={look} />
        <h2 id={id} className="grow cut">
          {name}
        </h2>
        <Icon label="Close" onClick={close}>
          ✕
        </Icon>
      </header>
      {glance.createdAt && <p className="soft small">{atFull(glance.createdAt)}</p>}
      <p className="soft small">{standing(twig, head).join(" · ")}</p>
      <Words space={space} twig={twig} />
      <div className="map-acts">
        <Button look="main" onClick={go}>
          Go there
        </Button>
        <Button disabled={glance.id === head} onClick={() => void acts.go(glance.id, true, HERE)}>
          Move my head here
        </Button>
        <Toggle acts={acts} twig={twig} flag="bookmarked" on="★ Bookmarked" off="★ Bookmark" />
        <Toggle acts={acts} twig={twig} flag="excluded" on="◌ Excluded" off="◌ Exclude" />
        <Toggle acts={acts} twig={twig} flag="pinned" on="📌 Pinned" off="📌 Pin" />
        <Button onClick={() => void acts.flag(glance.id, "pruned", !has(twig, "pruned"))}>
          {has(twig, "pruned") ? "Restore" : "✂ Prune"}
        </Button>
        <Button onClick={compare} aria-pressed={paired === glance.id}>
          {paired && paired !== glance.id ? "Compare with the other" : "Compare…"}
        </Button>
      </div>
      {paired === glance.id && <p className="soft small">Choose a second one, then compare again.</p>}
    </aside>
  );
}

interface ToggleProps {
  acts: Acts;
  twig: Twig;
  flag: "bookmarked" | "excluded" | "pinned";
  on: string;
  off: string;
}

function Toggle({ acts, twig, flag: name, on, off }: ToggleProps) {
  const is = has(twig, name);
  return (
    <Button aria-pressed={is} onClick={() => void acts.flag(twig.glance.id, name, !is)}>
      {is ? on : off}
    </Button>
  );
}

function Words({ space, twig }: { space: string; twig: Twig }) {
  const node = twig.glance.id;
  const asked = useQuery({
    queryKey: ["node", space, node, twig.glance.status],
    queryFn: () => done(api.GET("/api/spaces/{space}/nodes/{node}", { params: { path: { space, node } } })),
  });
  if (asked.isPending) return <Spinner />;
  if (asked.isError) return <FaultBox text={told(asked.error)} again={() => void asked.refetch()} />;
  const { parts = [], error } = asked.data.node;
  const text = (parts as Part[]).map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  return (
    <>
      <div className="map-text" dir="auto">
        {text || <span className="soft">No text.</span>}
      </div>
      {error && <p className="small map-error">{error}</p>}
    </>
  );
}

/** What is to be known of a node, in words. */
export function standing(twig: Twig, head: string | null): string[] {
  const { kind, status, edge, id } = twig.glance;
  const all: string[] = [];
  if (id === head) all.push("your head");
  if (kind !== "message") all.push(KINDS[kind]);
  if (edge === "annotation") all.push("a remark");
  if (has(twig, "bookmarked")) all.push("bookmarked");
  if (has(twig, "pinned")) all.push("pinned");
  if (has(twig, "excluded")) all.push("excluded");
  if (has(twig, "pruned")) all.push("pruned");
  if (status === "error") all.push("failed");
  if (status === "pending") all.push("being written");
  if (twig.children.length > 1) all.push(`${twig.children.length} ways on`);
  return all;
}

const KINDS: Record<Exclude<Twig["glance"]["kind"], "message">, string> = {
  summary: "summary",
  summaryRequest: "request for a summary",
  title: "title",
  titleRequest: "request for a title",
  accounting: "accounting",
};
