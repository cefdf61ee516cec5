/** A loom: one continuous text, its ways on beside it, and the next request in a line below. */
import { useEffect, useMemo, useRef, useState } from "react";
import { useAuthors } from "../map/people";
import { has, type Twig } from "../map/tree";
import { useKeys } from "../shell/keys";
import { useLook, useOpened } from "../space/context";
import { type Talking, TalkingProvider, useTalkingValue } from "../space/talking";
import { ChosenSegment } from "./ChosenSegment";
import { Document } from "./Document";
import { LoomBar } from "./LoomBar";
import { type Loom, useLoom, versions } from "./loom";
import { Refused } from "./Refused";
import { Status } from "./Status";
import { Ways } from "./Ways";
import { read, Working } from "./Working";
import { copyAll } from "./whole";
import "../map/map.css";
import "./buffer.css";

export function Buffer() {
  const talking = useTalkingValue();
  return (
    <TalkingProvider value={talking}>
      <Written talking={talking} />
    </TalkingProvider>
  );
}

function Written({ talking }: { talking: Talking }) {
  const { room, state } = useOpened();
  const [search, look] = useLook();
  const field = useRef<HTMLSpanElement>(null);
  const typed = () => (field.current ? read(field.current) : "");
  const loom = useLoom(talking, typed);
  const { look: looks } = useAuthors(loom.tree, loom.version, state.members);
  const scroller = useRef<HTMLDivElement>(null);
  const [editing, setEditing] = useState(false);
  const [wide, setWide] = useState(false);
  const path = useMemo(
    () => state.nodes.filter(({ node }) => (node.kind ?? "message") === "message" && node.edge !== "annotation"),
    [state.nodes],
  );
  const tried = loom.tree.of(loom.tried) ?? null;
  const end = tried ? (tried.parent?.glance.id ?? "") : undefined;
  const shown = useMemo(
    () => (end === undefined ? path : path.slice(0, path.findIndex(({ node }) => node.id === end) + 1)),
    [path, end],
  );
  const chosen = path.find(({ node }) => node.id === search.node);
  const choose = (node: string | null) => {
    setEditing(false);
    loom.tryOut(null);
    look({ node: node ?? undefined }, "replace");
  };
  const { title, twigs, current } = useBeside(loom, chosen?.node.id ?? null, tried);
  useEffect(() => {
    if (search.node) void room.reach(search.node).catch(() => {});
  }, [search.node, room]);
  const mark = (twig: Twig) => void talking.acts.flag(twig.glance.id, "bookmarked", !has(twig, "bookmarked"));
  const step = (by: 1 | -1) => {
    const at = twigs.findIndex((twig) => twig.glance.id === (loom.tried ?? current));
    const next = twigs[at < 0 ? (by > 0 ? 0 : twigs.length - 1) : (at + by + twigs.length) % twigs.length];
    if (next) loom.tryOut(next.glance.id === current ? null : next.glance.id);
  };
  useLoomKeys({
    loom,
    typed,
    step,
    setEditing,
    choose,
    chosen: chosen?.node.id ?? path.at(-1)?.node.id ?? null,
    talking,
  });
  const fixed = room.fixed !== null;
  const focusWriting = () => field.current?.focus();
  return (
    <div className={`loom ${wide ? "wide" : ""}`}>
      <LoomBar loom={loom} fixed={fixed} beside={twigs.length} wide={wide} setWide={setWide} />
      <div className="loom-body">
        <Document
          nodes={shown}
          tried={tried}
          chosen={chosen?.node.id ?? null}
          choose={choose}
          look={looks}
          scroller={scroller}
          focusWriting={focusWriting}
          take={() => void loom.take()}
        >
          {!fixed && (
            <Working space={room.id} commit={() => void loom.commit()} field={field} first={path.length === 0} />
          )}
        </Document>
        <div className="loom-beside">
          {loom.refused && <Refused fault={loom.refused} nodes={path} acts={talking.acts} close={loom.forgive} />}
          {chosen && (
            <ChosenSegment
              said={chosen}
              talking={talking}
              isEnd={chosen.node.id === state.head}
              end={() => void loom.goTo(chosen.node.id)}
              turn={(by) => {
                const all = versions(loom.tree.of(chosen.node.id), loom.tree.roots);
                const next = all[all.findIndex((twig) => twig.glance.id === chosen.node.id) + by]?.glance.id;
                if (next) void talking.acts.go(next, true).then(() => choose(next));
              }}
              editing={editing}
              setEditing={setEditing}
              close={() => choose(null)}
            />
          )}
          <Ways
            title={title}
            twigs={twigs}
            shown={current}
            tried={loom.tried}
            look={looks}
            choose={(twig) => loom.tryOut(twig.glance.id === current ? null : twig.glance.id)}
            take={(twig) => void loom.take(twig.glance.id)}
            mark={mark}
          />
        </div>
      </div>
      <Status agent={talking.agent?.id ?? null} />
    </div>
  );
}

/** What stands beside the text: the versions of what is chosen, the ways on from its end, or the versions of its last segment. */
function useBeside(loom: Loom, chosen: string | null, tried: Twig | null) {
  const { state } = useOpened();
  const { tree, ahead } = loom;
  const about = tree.of(chosen);
  if (about) return { title: "Versions of this segment", twigs: versions(about, tree.roots), current: chosen };
  if (ahead.length > 0) return { title: "Ways on from here", twigs: ahead, current: null };
  const last = tree.of(state.head) ?? tried ?? undefined;
  return { title: "Ways on", twigs: versions(last, tree.roots), current: state.head };
}

interface Keyed {
  loom: Loom;
  typed: () => string;
  step: (by: 1 | -1) => void;
  setEditing: (on: boolean) => void;
  choose: (node: string | null) => void;
  chosen: string | null;
  talking: Talking;
}

function useLoomKeys({ loom, typed, step, setEditing, choose, chosen, talking }: Keyed) {
  const { room, state } = useOpened();
  const on = () => {
    if (typed().trim()) void loom.commit();
    else void loom.take();
  };
  const flag = (name: "bookmarked" | "excluded") => {
    const node = state.nodes.find((one) => one.node.id === chosen)?.node;
    if (node) void talking.acts.flag(node.id, name, !node[name]);
  };
  useKeys([
    { key: "Alt+Space", says: "Ask for ways on", act: () => void loom.generate(), inFields: true },
    { key: "g", says: "Ask for ways on", act: () => void loom.generate() },
    { key: "Alt+ArrowDown", says: "Try the next way on", act: () => step(1), inFields: true },
    { key: "Alt+ArrowUp", says: "Try the way on before", act: () => step(-1), inFields: true },
    { key: "Alt+ArrowRight", says: "Commit what is typed or tried; else go on", act: on, inFields: true },
    {
      key: "Alt+ArrowLeft",
      says: "One segment back",
      act: () => (loom.tried ? loom.tryOut(null) : void loom.back()),
      inFields: true,
    },
    { key: "]", says: "Try the next way on", act: () => step(1) },
    { key: "[", says: "Try the way on before", act: () => step(-1) },
    { key: "b", says: "Bookmark the chosen or last segment", act: () => flag("bookmarked") },
    { key: "x", says: "Exclude the chosen or last segment", act: () => flag("excluded") },
    {
      key: "e",
      says: "Say the chosen or last segment otherwise",
      act: () => {
        choose(chosen);
        setEditing(true);
      },
    },
    { key: "y", says: "Copy the whole text", act: () => void copyAll(room.id, state.head) },
    {
      key: "Escape",
      says: "Stop; choose and try nothing",
      act: () => (loom.writing.length > 0 ? void loom.stop() : loom.tried ? loom.tryOut(null) : choose(null)),
      inFields: true,
    },
  ]);
}
