/** The start: back to where one was, or a first step. */
import { Link, Navigate } from "@tanstack/react-router";
import { useHouse } from "../live/house";
import { Empty, Spinner } from "../ui/controls";
import { kept } from "./kept";
import { useMakeSpace } from "./making";
import { useMe } from "./me";
import { KINDS } from "./NewSpace";
import { usePlace } from "./title";

export function Page() {
  const { spaces, ready } = useHouse();
  const me = useMe();
  const make = useMakeSpace();
  usePlace("");
  if (!ready) return <Spinner />;
  const last = spaces.find((space) => space.id === kept("last")) ?? spaces[0];
  if (last) return <Navigate to="/s/$space" params={{ space: last.id }} replace />;
  return (
    <div className="page">
      <Empty title={`Welcome, ${me.me.name}`}>
        Nothing is here yet. No key is needed to begin: a model that works without network is built in.
      </Empty>
      <div className="kinds">
        {KINDS.map((kind) => (
          <button key={kind.id} type="button" className="card first-step" onClick={() => make(kind.id)}>
            <strong>{kind.name}</strong>
            <span className="soft small">{kind.says}</span>
          </button>
        ))}
        <Link to="/import" className="card first-step">
          <strong>Import</strong>
          <span className="soft small">
            Bring conversations from ChatGPT, Claude, Open WebUI, LibreChat and others.
          </span>
        </Link>
        <Link to="/settings" search={{ tab: "providers" }} className="card first-step">
          <strong>Models</strong>
          <span className="soft small">Set a provider's key. Ollama on the server's machine is found by itself.</span>
        </Link>
      </div>
    </div>
  );
}
