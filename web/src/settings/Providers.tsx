/** Who has models, whether they can be asked, and the keys they are asked with. A key goes in and never comes out. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useModels } from "../agents/ModelField";
import { api, done, type Schemas, told } from "../api/client";
import { isOwner, useMe } from "../shell/me";
import { Button, Chip, FaultBox, Field, Spinner } from "../ui/controls";
import { count } from "../ui/numbers";
import { Dialog } from "../ui/overlay";
import { attempt, say } from "../ui/toasts";

type Provider = Schemas["ShownProvider"];
const KEY = ["providers"];

export function Providers() {
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: () => done(api.GET("/api/providers")) });
  const models = useModels().data?.models;
  return (
    <section aria-label="Providers">
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {!data && !error && <Spinner label="Loading providers" />}
      <ul className="things">
        {(data?.providers ?? []).map((one) => (
          <One key={one.name} one={one} models={models?.filter((model) => model.provider === one.name).length} />
        ))}
      </ul>
      <p className="soft small">
        A key in the environment is stronger than one kept here. Other servers are named in the server's configuration.
      </p>
    </section>
  );
}

/** Those that need no key. */
const KEYLESS = new Set(["offline", "ollama"]);

function standing(one: Provider, models: number | undefined): { tone: "green" | "yellow" | "plain"; words: string } {
  if (one.kind === "offline") return { tone: "green", words: "built in" };
  if (one.kind === "ollama") {
    if (models === undefined) return { tone: "plain", words: "looking" };
    return models > 0 ? { tone: "green", words: "found" } : { tone: "plain", words: "not found" };
  }
  if (one.ready) return { tone: "green", words: "can be asked" };
  return one.keyKept ? { tone: "yellow", words: "kept, not in use yet" } : { tone: "plain", words: "no key" };
}

/** Asks again for providers and for their models: those of a provider without a key are not told. */
function useRenewed() {
  const queries = useQueryClient();
  return () => Promise.all([KEY, ["models"]].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

function One({ one, models }: { one: Provider; models?: number }) {
  const me = useMe();
  const known = useRenewed();
  const [asking, setAsking] = useState(false);
  const { tone, words } = standing(one, models);
  const forget = () =>
    attempt(async () => {
      const { note } = await done(api.DELETE("/api/providers/{name}/key", { params: { path: { name: one.name } } }));
      say(`Forgotten: ${note}.`);
      await known();
    });
  return (
    <li className="card thing">
      <div className="grow">
        <div className="row wrap">
          <strong>{one.name}</strong>
          {one.kind !== one.name && <Chip>{one.kind}</Chip>}
          <Chip tone={tone}>{words}</Chip>
          {one.keyKept && <Chip>key kept, sealed</Chip>}
        </div>
        <div className="soft small">
          {one.kind === "ollama" &&
            (models
              ? `${count(models, "model")} found on this machine.`
              : "When Ollama runs on the server's machine, its models are found by themselves.")}
          {one.kind === "offline" && "Answers without network and without a key, for trying things out."}
          {!KEYLESS.has(one.kind) && models !== undefined && one.ready && count(models, "model")}
        </div>
      </div>
      {isOwner(me) && !KEYLESS.has(one.kind) && (
        <span className="row wrap">
          <Button onClick={() => setAsking(true)}>{one.keyKept ? "Another key" : "Set key"}</Button>
          {one.keyKept && <Button onClick={() => void forget()}>Forget key</Button>}
        </span>
      )}
      {asking && <SetKey name={one.name} close={() => setAsking(false)} />}
    </li>
  );
}

function SetKey({ name, close }: { name: string; close: () => void }) {
  const known = useRenewed();
  const [key, setKey] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const keep = async () => {
    try {
      const { note } = await done(
        api.PUT("/api/providers/{name}/key", { params: { path: { name } }, body: { key: key.trim() } }),
      );
      say(`Kept: ${note}.`);
      await known();
      close();
    } catch (problem) {
      setFault(told(problem));
    }
  };
  return (
    <Dialog
      title={`The key of ${name}`}
      close={close}
      submit={() => void keep()}
      footer={
        <Button look="main" type="submit" disabled={!key.trim()}>
          Keep it
        </Button>
      }
    >
      <Field label="Key" hint="It is sealed before it is kept, and never shown again." fault={fault}>
        {(props) => (
          <input
            {...props}
            className="input mono"
            type="password"
            autoComplete="off"
            maxLength={16384}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
