/** The bytes: what is sent, in any wire format; of a call also what it would be now, and what came back. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { isChat, useLook, useOpened } from "../space/context";
import { Button, Empty, Field, Spinner } from "../ui/controls";
import { useAround } from "./around";
import { bytesOf } from "./ask";
import { Fault } from "./Faults";
import { fates } from "./fates";
import { locate, nodeAt } from "./locate";
import { useMarked } from "./marked";
import { NodeName } from "./NodeName";
import type { Laid } from "./pretty";
import { Reader } from "./Reader";
import { type Seen, useNext } from "./seen";
import { DIALECTS, type Dialect, dialects } from "./words";

type Which = "sent" | "now" | "response";

export function WireTab({ seen, revision, byte }: { seen: Seen; revision: number; byte: number | null }) {
  return seen.call ? <SentWire seen={seen} revision={revision} byte={byte} /> : <NextWire seen={seen} byte={byte} />;
}

/** The format of the next request. The model's own if none is chosen. */
function DialectChoice({ own }: { own: Dialect | null }) {
  const [search, look] = useLook();
  return (
    <Field label="Wire format">
      {(field) => (
        <select
          {...field}
          className="input"
          value={search.dialect ?? ""}
          onChange={(event) => look({ dialect: event.target.value || undefined }, "replace")}
        >
          <option value="">{own && !search.dialect ? `${DIALECTS[own]} (the model's own)` : "The model's own"}</option>
          {dialects.map((dialect) => (
            <option key={dialect} value={dialect}>
              {DIALECTS[dialect]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function NextWire({ seen, byte }: { seen: Seen; byte: number | null }) {
  return (
    <div className="stack">
      <DialectChoice own={seen.dialect} />
      <Request seen={seen} byte={byte} />
    </div>
  );
}

/** A request whose nodes can be pointed at. */
export function Request({ seen, byte = null }: { seen: Seen; byte?: number | null }) {
  const { said, parent, goTo } = useAround();
  const [marked, mark] = useMarked();
  const all = useMemo(() => fates(seen.report?.items ?? [], parent), [seen.report, parent]);
  const find = useMemo(() => {
    const fate = all.find((one) => one.node === marked);
    return marked && fate ? (laid: Laid) => locate(laid.rows, laid.json, fate, said(marked)?.text ?? "") : undefined;
  }, [all, marked, said]);
  if (seen.body === null) {
    return <Empty title="The bytes are not kept">The report tells what was sent, the bytes themselves are gone.</Empty>;
  }
  return (
    <>
      {marked && (
        <p className="row small marked-line">
          Marked: <NodeName node={marked} />
          <Button onClick={() => mark(null)}>Clear</Button>
        </p>
      )}
      <Reader
        body={seen.body}
        name="request"
        dialect={seen.dialect}
        model={seen.model}
        hash={seen.report?.hash}
        find={find}
        mark={marked}
        byte={marked ? undefined : byte}
        choose={
          goTo
            ? (laid, row) => {
                const node = nodeAt(laid.rows, row, all);
                if (node) mark(node);
              }
            : undefined
        }
      />
    </>
  );
}

const WHICH: { id: Which; name: string }[] = [
  { id: "sent", name: "As sent" },
  { id: "now", name: "As it would be now" },
  { id: "response", name: "What came back" },
];

function SentWire({ seen, revision, byte }: { seen: Seen; revision: number; byte: number | null }) {
  const [which, choose] = useState<Which>("sent");
  const { space } = useAround();
  return (
    <div className="stack">
      <div className="row wraps" role="group" aria-label="Which bytes">
        {WHICH.filter(({ id }) => space || id !== "now").map(({ id, name }) => (
          <Button key={id} aria-pressed={which === id} onClick={() => choose(id)}>
            {name}
          </Button>
        ))}
      </div>
      {which === "sent" && <Request seen={seen} byte={byte} />}
      {which === "now" && <NowWire seen={seen} revision={revision} />}
      {which === "response" && <Response seen={seen} />}
    </div>
  );
}

/** The same request, assembled once more: in a chat at its place in the tree, else as the agent's next. */
function NowWire({ seen, revision }: { seen: Seen; revision: number }) {
  const { state, room } = useOpened();
  const [search] = useLook();
  const { parent } = useAround();
  const chat = isChat(state.members);
  const head = (chat && seen.call?.node && parent(seen.call.node)) || null;
  const now = useNext({
    space: room.id,
    as: seen.call?.agent ?? null,
    head,
    input: null,
    how: {},
    previous: null,
    dialect: dialects.find((dialect) => dialect === search.dialect) ?? seen.dialect,
    tried: null,
    revision,
  });
  return (
    <>
      <p className="small soft">
        {head
          ? "The same place in the tree, with the prompt, settings and flags of today."
          : "What this agent would be sent now."}
      </p>
      <DialectChoice own={seen.dialect} />
      {now.data ? (
        <Request seen={now.data} />
      ) : now.error ? (
        <Fault fault={now.error} again={() => void now.refetch()} />
      ) : (
        <Spinner />
      )}
    </>
  );
}

function Response({ seen }: { seen: Seen }) {
  const { space } = useAround();
  const call = seen.call?.id ?? "";
  const { data, error, refetch } = useQuery({
    queryKey: ["response", space, call],
    queryFn: ({ signal }) => bytesOf({ space, call }, "response", signal),
    gcTime: 30_000,
  });
  if (error) return <Fault fault={error} again={() => void refetch()} />;
  if (data === undefined) return <Spinner />;
  if (!data) return <Empty title="No answer is kept">It failed before one came, or is not kept.</Empty>;
  return <Reader body={data} name="response" />;
}
