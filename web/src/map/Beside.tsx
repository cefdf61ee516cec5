/** Two paths side by side, from where they part. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { told } from "../api/client";
import { useKeys } from "../shell/keys";
import { useLook, useOpened } from "../space/context";
import { TalkingProvider, useTalkingValue } from "../space/talking";
import { Button, Empty, FaultBox, Icon, Spinner } from "../ui/controls";
import { Column } from "./Column";
import { useTree } from "./feed";
import { InCommon } from "./InCommon";
import { pairs } from "./pairs";
import { useAuthors } from "./people";
import { stretchOf } from "./stretch";
import { common } from "./tree";
import "./map.css";
import "./beside.css";

export function Beside() {
  const talking = useTalkingValue();
  return (
    <TalkingProvider value={talking}>
      <Paths />
    </TalkingProvider>
  );
}

function Paths() {
  const { room, state } = useOpened();
  const [search, look] = useLook();
  const { tree, version, status, problem, feed } = useTree(room);
  const { look: looks } = useAuthors(tree, version, state.members);
  const { acts } = useTalkingValue();
  const [front, setFront] = useState<"left" | "right">("left");
  const left = state.head;
  const right = search.beside ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree grows in place, its version tells
  const parted = useMemo(() => {
    const [one, other] = [tree.path(left), tree.path(right)];
    const { at, shared } = common(one, other);
    return { at: at?.glance.id ?? null, shared, one: one.length - shared, other: other.length - shared };
  }, [tree, version, left, right]);
  const one = useStretch(room.id, left, parted.one, status === "ready");
  const other = useStretch(room.id, right, parted.other, status === "ready");
  const versions = useMemo(
    () =>
      pairs(
        (one.data ?? []).map(({ node }) => node),
        (other.data ?? []).map(({ node }) => node),
      ),
    [one.data, other.data],
  );
  const close = () => look({ beside: undefined });
  useKeys([{ key: "Escape", says: "Close the comparison", act: close }]);
  if (status === "loading") return <Spinner label="Reading both paths" />;
  if (status === "failed")
    return <FaultBox text={problem?.detail ?? "The tree could not be read."} again={() => void feed.read(0)} />;
  if (!tree.of(right) || !left) {
    return (
      <Empty
        title="There is nothing to compare"
        action={<Button onClick={() => look({ beside: undefined, map: true })}>To the map</Button>}
      >
        One of the two is not in this tree. Choose two on the map.
      </Empty>
    );
  }
  const take = async (head: string) => {
    await acts.go(head, false, "This is your path now.");
    look({ beside: undefined, head: undefined, node: undefined });
  };
  const side = (which: "left" | "right") => {
    const [head, asked] = which === "left" ? [left, one] : [right!, other];
    return (
      <Column
        title={which === "left" ? "This path" : "The other path"}
        tree={tree}
        version={version}
        head={head}
        mine={room.fixed === null ? left : null}
        nodes={asked.data ?? []}
        versions={versions}
        newer={which === "right"}
        state={asked.isPending ? "loading" : asked.isError ? told(asked.error) : "ready"}
        again={() => void asked.refetch()}
        looks={looks}
        choose={(next) => look(which === "left" ? { head: next } : { beside: next }, "replace")}
        take={() => void take(head)}
      />
    );
  };
  return (
    <div className={`beside front-${front}`}>
      <div className="map-bar" role="toolbar" aria-label="Two paths">
        <h2>Side by side</h2>
        <span className="grow" />
        <div className="beside-switch row">
          <Button aria-pressed={front === "left"} onClick={() => setFront("left")}>
            This
          </Button>
          <Button aria-pressed={front === "right"} onClick={() => setFront("right")}>
            Other
          </Button>
        </div>
        <Button onClick={() => look({ head: right ?? undefined, beside: left ?? undefined }, "replace")}>⇄ Swap</Button>
        <Button onClick={() => look({ beside: undefined, map: true })}>Map</Button>
        <Icon label="Close" onClick={close}>
          ✕
        </Icon>
      </div>
      <div className="beside-scroll">
        <InCommon space={room.id} at={parted.at} amount={parted.shared} looks={looks} />
        <div className="beside-columns">
          {side("left")}
          {side("right")}
        </div>
      </div>
    </div>
  );
}

function useStretch(space: string, head: string | null, amount: number, ready: boolean) {
  return useQuery({
    queryKey: ["stretch", space, head, amount],
    queryFn: () => stretchOf(space, head ?? "", amount),
    enabled: ready && head !== null,
  });
}
