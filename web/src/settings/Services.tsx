/** Services: programs elsewhere that wake an agent by what they deliver. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useEntityName } from "../agents/names";
import { api, done, type Schemas, told } from "../api/client";
import { Button, Empty, FaultBox, Spinner } from "../ui/controls";
import { atFull, when } from "../ui/numbers";
import { attempt } from "../ui/toasts";
import { Copy, Secret } from "./Copy";
import { NewService } from "./NewService";
import { Sure } from "./Sure";

type Service = Schemas["Service"];
export const SERVICES = ["services"];
const address = (name: string) => `${location.origin}/api/services/${name}`;

export function Services() {
  const { data, error, refetch } = useQuery({ queryKey: SERVICES, queryFn: () => done(api.GET("/api/services")) });
  const [making, setMaking] = useState(false);
  const make = (
    <Button look="main" onClick={() => setMaking(true)}>
      New service
    </Button>
  );
  return (
    <section aria-label="Services">
      <header className="row">
        <p className="grow soft small">
          A program elsewhere delivers something, signed as Standard Webhooks has it, and an agent wakes.
        </p>
        {data && data.length > 0 && make}
      </header>
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {!data && !error && <Spinner label="Loading services" />}
      {data?.length === 0 && <Empty title="No services yet" action={make} />}
      <ul className="things">
        {(data ?? []).map((one) => (
          <One key={one.name} one={one} />
        ))}
      </ul>
      {making && <NewService close={() => setMaking(false)} />}
    </section>
  );
}

function One({ one }: { one: Service }) {
  const queries = useQueryClient();
  const nameOf = useEntityName();
  const [sure, setSure] = useState<"rotate" | "remove" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const params = { path: { name: one.name } };
  const again = () => queries.invalidateQueries({ queryKey: SERVICES });
  const rotate = () =>
    attempt(async () => {
      const made = await done(api.POST("/api/services/{name}/rotate", { params, body: {} }));
      setSecret(made.secret ?? null);
      await again();
    });
  const remove = () =>
    attempt(async () => {
      await done(api.DELETE("/api/services/{name}", { params }));
      await again();
    });
  return (
    <li className="card thing">
      <div className="grow stack">
        <div>
          <strong>{one.name}</strong> wakes{" "}
          <Link to="/agents/$agent" params={{ agent: one.agent }}>
            {nameOf(one.agent)}
          </Link>
        </div>
        <div className="soft small">
          {one.createdAt && `made ${when(one.createdAt)}`} · secret ends with <code>{one.secretEnds}</code>
          {one.rotatedAt && ` · changed ${when(one.rotatedAt)}`}
          {one.oldUntil && ` · the one before is taken until ${atFull(one.oldUntil)}`}
        </div>
        <Copy label={`Where ${one.name} delivers`} text={address(one.name)} />
      </div>
      <span className="row wrap">
        <Button onClick={() => setSure("rotate")}>Change secret</Button>
        <Button look="danger" onClick={() => setSure("remove")}>
          Remove
        </Button>
      </span>
      {sure === "rotate" && (
        <Sure
          title={`Change the secret of ${one.name}?`}
          act="Change it"
          go={() => void rotate()}
          close={() => setSure(null)}
        >
          The one it has is taken for another day, so that its program can be told in between.
        </Sure>
      )}
      {sure === "remove" && (
        <Sure title={`Remove ${one.name}?`} act="Remove" go={() => void remove()} close={() => setSure(null)}>
          Nothing it sends is taken any more.
        </Sure>
      )}
      {secret && <Secret title={`What ${one.name} signs with`} secret={secret} close={() => setSecret(null)} />}
    </li>
  );
}
