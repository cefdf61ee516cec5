/** The whole tree of a space: a map to look at and walk on, and the same as a list. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { keep, kept } from "../shell/kept";
import { useKeys } from "../shell/keys";
import { useLook, useNames, useOpened } from "../space/context";
import { useTalkingValue } from "../space/talking";
import { Button, Empty, FaultBox, Spinner } from "../ui/controls";
import { Bar } from "./Bar";
import { Canvas } from "./Canvas";
import { Chosen, HERE, standing } from "./Chosen";
import type { Cell } from "./cells";
import { useColours } from "./colours";
import { useTree } from "./feed";
import { useFound } from "./find";
import { type Layout, layout, place } from "./layout";
import { Glyph, Legend, useAuthors } from "./people";
import type { Stage } from "./stage";
import { TreeList } from "./TreeList";
import { type Flag, has, type Tree } from "./tree";
import { stepped, type Way } from "./walk";
import "./map.css";

export function TreeMap() {
  const { room, state } = useOpened();
  const { tree, version, status, problem, feed } = useTree(room);
  const [, look] = useLook();
  if (status === "loading") return <Spinner label="Reading the tree" />;
  if (status === "failed")
    return <FaultBox text={problem?.detail ?? "The tree could not be read."} again={() => void feed.read(0)} />;
  if (tree.size === 0) {
    return (
      <Empty title="Nothing was said yet" action={<Button onClick={() => look({ map: undefined })}>Back</Button>}>
        The map shows every message and every branch, as soon as there are some.
      </Empty>
    );
  }
  return <Drawn key={state.space?.id} tree={tree} version={version} onGrown={feed.onGrown} />;
}

interface DrawnProps {
  tree: Tree;
  version: number;
  onGrown: ReturnType<typeof useTree>["feed"]["onGrown"];
}

function Drawn({ tree, version, onGrown }: DrawnProps) {
  const { room, state } = useOpened();
  const [search, look] = useLook();
  const names = useNames();
  const { acts } = useTalkingValue();
  const colours = useColours();
  const stage = useRef<Stage | null>(null);
  const [as, setAs] = useState<"picture" | "list">(kept("map.as") === "list" ? "list" : "picture");
  const [pruned, setPruned] = useState<"shown" | "hidden">(kept("map.pruned") === "hidden" ? "hidden" : "shown");
  const [asked, setAsked] = useState("");
  const [paired, setPaired] = useState<string | null>(null);
  const { head } = state;
  const { authors, look: looks } = useAuthors(tree, version, state.members);
  const found = useFound(room.id, tree, version, asked);
  const { laid, kept: anchor, open, fold, setFold } = useLayout(tree, version, onGrown, pruned, head);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  const path = useMemo(() => new Set(tree.path(head).map((twig) => twig.glance.id)), [tree, head, version]);
  const twig = tree.of(search.node);
  const chosen = twig?.glance.id ?? null;
  const choose = useCallback((id: string | null) => look({ node: id ?? undefined }, "replace"), [look]);
  const go = (id: string) => look({ map: undefined, node: id, ...(path.has(id) ? {} : { head: id }) });
  const compare = () => {
    if (!chosen) return;
    if (!paired || paired === chosen) setPaired(paired === chosen ? null : chosen);
    else look({ map: undefined, node: undefined, head: paired === head ? undefined : paired, beside: chosen });
  };
  const pick = (cell: Cell | null) => {
    if (cell?.folded) open(cell.twig.glance.id);
    else choose(cell?.twig.glance.id ?? null);
  };
  const walk = (way: Way) => {
    const cell = stepped(laid, chosen ?? head, way);
    if (!cell) return;
    if (cell.folded) open(cell.twig.glance.id);
    choose(cell.twig.glance.id);
  };
  useEffect(() => {
    if (chosen) stage.current?.reveal(chosen);
  }, [chosen]);
  const flip = (name: Flag) => {
    if (twig) void acts.flag(twig.glance.id, name, !has(twig, name));
  };
  useKeys([
    { key: "b", says: "Bookmark what is chosen", act: () => flip("bookmarked") },
    { key: "x", says: "Exclude what is chosen", act: () => flip("excluded") },
    { key: "p", says: "Pin what is chosen", act: () => flip("pinned") },
    { key: "Delete", says: "Prune what is chosen", act: () => flip("pruned") },
    { key: "c", says: "Compare: choose two", act: compare },
    { key: "h", says: "To my head", act: () => toHead() },
    { key: "0", says: "All of the map", act: () => stage.current?.fit() },
    {
      key: "H",
      says: "Move my head to what is chosen",
      act: () => chosen && void acts.go(chosen, true, HERE),
    },
    { key: "Escape", says: "Choose nothing", act: () => (chosen ? choose(null) : look({ map: undefined })) },
  ]);
  const toHead = () => {
    if (as === "picture") stage.current?.goTo(head);
    else choose(head);
  };
  const shown = useMemo(
    // Another object for each version: then it is drawn again.
    () => ({ colours, look: looks, path, head, found, chosen, paired, version }),
    [colours, looks, path, head, found, chosen, paired, version],
  );
  return (
    <div className="map">
      <Bar
        as={as}
        setAs={(next) => {
          keep("map.as", next);
          setAs(next);
        }}
        pruned={pruned}
        setPruned={(next) => {
          keep("map.pruned", next);
          setPruned(next);
        }}
        fold={fold}
        setFold={setFold}
        asked={asked}
        ask={setAsked}
        found={found}
        size={tree.size}
        zoom={(by) => stage.current?.zoom(by)}
        fit={() => stage.current?.fit()}
        toHead={toHead}
        step={(by) => {
          const order = [...(found ?? [])].sort((one, other) => tree.of(one)!.glance.seq - tree.of(other)!.glance.seq);
          const at = order.indexOf(chosen ?? "");
          const next = order.at((at + by + order.length) % order.length);
          if (next) choose(next);
        }}
      />
      <div className={`map-body ${twig ? "chosen" : ""}`}>
        {as === "picture" ? (
          <Canvas
            laid={laid}
            keep={anchor ?? chosen ?? head}
            shown={shown}
            stage={stage}
            says={(cell) => words(cell, names(cell.twig.glance.author), head)}
            choose={pick}
            walk={walk}
            enter={() => chosen && go(chosen)}
          />
        ) : (
          <TreeList
            tree={tree}
            version={version}
            pruned={pruned}
            head={head}
            path={path}
            found={found}
            chosen={chosen}
            choose={choose}
            go={go}
            signs={(one) => standing(one, head).join(", ")}
            name={names}
            glyph={(author) => <Glyph look={looks(author)} />}
          />
        )}
        {twig && (
          <Chosen
            space={room.id}
            acts={acts}
            twig={twig}
            look={looks(twig.glance.author)}
            name={names(twig.glance.author)}
            head={head}
            paired={paired}
            go={() => go(twig.glance.id)}
            compare={compare}
            close={() => choose(null)}
          />
        )}
      </div>
      <Legend authors={authors} />
    </div>
  );
}

function words(cell: Cell, name: string, head: string | null): string {
  if (cell.folded) return `${cell.folded.length} messages in a row. Click to open them.`;
  const about = standing(cell.twig, head).join(", ");
  return `${name}${about && ` (${about})`}: ${cell.twig.glance.text || "no text"}`;
}

/** Where everything stands. New nodes find a place of their own; only what somebody asks for lays it all out again. */
function useLayout(
  tree: Tree,
  version: number,
  onGrown: DrawnProps["onGrown"],
  pruned: "shown" | "hidden",
  head: string | null,
) {
  const [fold, setFold] = useState(kept("map.fold") !== "off");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const [shape, reshape] = useState(0);
  // What is hidden is no part of the layout: pruning and restoring makes another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  const hidden = useMemo(
    () => (pruned === "shown" ? "" : [...tree.twigs.values()].filter((twig) => has(twig, "pruned")).length),
    [tree, version, pruned],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a head that moves, and a tree that grows, move nothing else
  const laid = useMemo(() => layout(tree, { fold, opened, pruned, head }), [tree, fold, opened, pruned, hidden, shape]);
  const current = useRef<Layout>(laid);
  current.current = laid;
  useEffect(
    () =>
      onGrown((twig) => {
        if (!place(current.current, twig)) reshape((before) => before + 1);
      }),
    [onGrown],
  );
  return {
    laid,
    kept: anchor,
    open: (first: string) => {
      setAnchor(first);
      setOpened((before) => new Set([...before, first]));
    },
    fold,
    setFold: (on: boolean) => {
      keep("map.fold", on ? null : "off");
      setAnchor(null);
      setOpened(new Set());
      setFold(on);
    },
  };
}
