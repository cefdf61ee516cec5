/** A space: its head, what is said in it, and the inspector beside it. */
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { useRoom } from "../live/room";
import { keep } from "../shell/kept";
import { useKeys } from "../shell/keys";
import { useMe } from "../shell/me";
import { usePlace } from "../shell/title";
import { Empty, FaultBox, Spinner } from "../ui/controls";
import { OpenedProvider, useLook } from "./context";
import { Head } from "./Head";
import { Talk } from "./Talk";
import "./space.css";

const Inspector = lazy(() => import("../inspector/Inspector").then(({ Inspector }) => ({ default: Inspector })));
const TreeMap = lazy(() => import("../map/TreeMap").then(({ TreeMap }) => ({ default: TreeMap })));
const Buffer = lazy(() => import("../buffer/Buffer").then(({ Buffer }) => ({ default: Buffer })));
const Beside = lazy(() => import("../map/Beside").then(({ Beside }) => ({ default: Beside })));

export function SpacePage() {
  const { space } = useParams({ from: "/inside/s/$space" });
  const me = useMe();
  const [search, look] = useLook();
  const [room, state] = useRoom(space, search.head ?? null, me.me.id);
  usePlace(state.space?.name ?? "");
  useEffect(() => keep("last", space), [space]);
  useKeys([
    {
      key: "i",
      says: "Inspector: what the model sees",
      act: () => look({ inspect: search.inspect ? undefined : "window" }),
    },
    { key: "m", says: "Map of the whole tree", act: () => look({ map: search.map ? undefined : true }) },
  ]);
  if (state.status === "loading") return <Spinner label="Opening the space" />;
  if (state.status === "gone") {
    return (
      <Empty title="There is no such space for you" action={<Link to="/">To the start</Link>}>
        It was never here, or you do not belong to it.
      </Empty>
    );
  }
  if (state.status === "failed") {
    return <FaultBox text={state.problem?.detail ?? "The space could not be opened."} again={() => room.retry()} />;
  }
  return (
    <OpenedProvider value={{ room, state }}>
      <div className={`space ${search.inspect ? "inspected" : ""}`}>
        <section className="stream" aria-label={state.space?.name || "Space"}>
          <Head />
          <Suspense fallback={<Spinner />}>
            {search.map ? (
              <TreeMap />
            ) : search.beside ? (
              <Beside />
            ) : state.space?.mode === "buffer" ? (
              <Buffer />
            ) : (
              <Talk key={`${space} ${search.head ?? ""}`} />
            )}
          </Suspense>
        </section>
        {search.inspect && (
          <aside className="inspector" aria-label="Inspector">
            <Suspense fallback={<Spinner />}>
              <Inspector />
            </Suspense>
          </aside>
        )}
      </div>
    </OpenedProvider>
  );
}
