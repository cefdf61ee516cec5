/** One's tokens: what programs come with. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, done, type Schemas, told } from "../api/client";
import { Button, Chip, Empty, FaultBox, Spinner } from "../ui/controls";
import { atFull, when } from "../ui/numbers";
import { attempt } from "../ui/toasts";
import { NewToken } from "./NewToken";
import { Sure } from "./Sure";

const KEY = ["tokens"];

export function Tokens() {
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: () => done(api.GET("/api/tokens")) });
  const [making, setMaking] = useState(false);
  const make = (
    <Button look="main" onClick={() => setMaking(true)}>
      New token
    </Button>
  );
  return (
    <section aria-label="Tokens">
      <header className="row">
        <p className="grow soft small">
          A program acts for you with a token, here and as the API key of OpenAI and Anthropic clients.
        </p>
        {data && data.length > 0 && make}
      </header>
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {!data && !error && <Spinner label="Loading tokens" />}
      {data?.length === 0 && <Empty title="No tokens yet" action={make} />}
      <ul className="things">
        {(data ?? []).map((one) => (
          <One key={one.id} one={one} />
        ))}
      </ul>
      {making && <NewToken close={() => setMaking(false)} />}
    </section>
  );
}

function One({ one }: { one: Schemas["ShownPass"] }) {
  const queries = useQueryClient();
  const [sure, setSure] = useState(false);
  const revoke = () =>
    attempt(async () => {
      await done(api.DELETE("/api/tokens/{id}", { params: { path: { id: one.id } } }));
      await queries.invalidateQueries({ queryKey: KEY });
    });
  return (
    <li className="card thing">
      <div className="grow">
        <div className="row wrap">
          <strong className="cut">{one.name}</strong>
          {one.scopes.map((scope) => (
            <Chip key={scope}>{scope}</Chip>
          ))}
        </div>
        <div className="soft small">
          {one.createdAt && `made ${when(one.createdAt)}`} ·{" "}
          {one.usedAt ? `last used ${when(one.usedAt)}` : "never used"} ·{" "}
          {one.expiresAt ? `ends ${atFull(one.expiresAt)}` : "never ends"}
        </div>
      </div>
      <Button onClick={() => setSure(true)}>Revoke</Button>
      {sure && (
        <Sure title={`Revoke "${one.name}"?`} act="Revoke" go={() => void revoke()} close={() => setSure(false)}>
          Programs that use it are refused from now on.
        </Sure>
      )}
    </li>
  );
}
