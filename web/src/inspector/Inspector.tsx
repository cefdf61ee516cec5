/**
 * See exactly what a model sees: the next request or any that was sent, where its window went, why each message is in it or
 * not, its bytes, what a cache keeps, what it costs, and what other choices would make of it. All of it is in the address.
 */
import { useMemo, useState } from "react";
import { INSPECTED, type Inspected } from "../router";
import { useKeys } from "../shell/keys";
import { useLook, useOpened } from "../space/context";
import { Empty, Icon, Spinner } from "../ui/controls";
import { Tabs } from "../ui/overlay";
import { AroundProvider, useSpaceAround } from "./around";
import { Compare } from "./Compare";
import { Facts } from "./Facts";
import { Fault } from "./Faults";
import { Glyph } from "./Glyph";
import { Meters } from "./Meters";
import { MarkedProvider } from "./marked";
import { Picker } from "./Picker";
import { ScrollerProvider } from "./Rows";
import { type Seen, useNewest, useRevision, useSubject } from "./seen";
import { type Subject, subjectOf } from "./subject";
import { TabBody } from "./TabBody";
import { TryTab } from "./TryTab";
import { dialects, moment } from "./words";
import "./inspector.css";

const NAMES: Record<Inspected, string> = {
  window: "Window",
  why: "Why",
  wire: "Wire",
  cache: "Cache",
  cost: "Cost",
  try: "Try",
};
const TABS = INSPECTED.map((id) => ({ id, label: NAMES[id] }));

export function Inspector() {
  const { room, state } = useOpened();
  const [search, look] = useLook();
  const revision = useRevision();
  const around = useSpaceAround(room.id, revision);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [marked, mark] = useState<string | null>(null);
  const marks = useMemo(() => [marked, mark] as [typeof marked, typeof mark], [marked]);
  const leaveFull = { key: "Escape", says: "Inspector beside the conversation", act: () => look({ full: undefined }) };
  useKeys([
    { key: "I", says: "Inspector on the whole screen", act: () => look({ full: search.full ? undefined : true }) },
    ...(search.full ? [leaveFull] : []),
  ]);
  return (
    <AroundProvider value={around}>
      <MarkedProvider value={marks}>
        <ScrollerProvider value={scroller}>
          <div ref={setScroller} className={`inspect ${search.full ? "full" : ""}`}>
            {state.members.some((one) => one.type === "agent") ? (
              <Inside revision={revision} />
            ) : (
              <>
                <Corner />
                <Empty title="No agent belongs to this space">
                  Nothing is ever sent from here. Let an agent in first.
                </Empty>
              </>
            )}
          </div>
        </ScrollerProvider>
      </MarkedProvider>
    </AroundProvider>
  );
}

function Corner({ again }: { again?: () => void }) {
  const [search, look] = useLook();
  return (
    <div className="row corner">
      <h2 className="grow">Inspector</h2>
      {again && (
        <Icon label="Look again" onClick={again}>
          ↻
        </Icon>
      )}
      <Icon
        label={search.full ? "Beside the conversation (I)" : "On the whole screen (I)"}
        aria-pressed={search.full === true}
        onClick={() => look({ full: search.full ? undefined : true })}
      >
        <Glyph name={search.full ? "beside" : "full"} />
      </Icon>
      <Icon label="Close the inspector (i)" onClick={() => look({ inspect: undefined, full: undefined })}>
        ✕
      </Icon>
    </div>
  );
}

function Inside({ revision }: { revision: number }) {
  const { room, state } = useOpened();
  const [search, look] = useLook();
  const [byte, setByte] = useState<number | null>(null);
  const agents = useMemo(() => state.members.filter((one) => one.type === "agent"), [state.members]);
  const as = (agents.find((one) => one.id === search.as) ?? agents[0])?.id ?? null;
  const subject: Subject = search.call ? { kind: "call", call: search.call } : { kind: "next", as };
  const other = search.with ? subjectOf(search.with, as) : null;
  const tab = search.inspect ?? "window";
  // Only the wire is shown in other formats: numbers elsewhere are those of what would be sent.
  const dialect = (tab === "wire" && !other && dialects.find((one) => one === search.dialect)) || null;
  const { found, previous } = useSubject(subject, revision, dialect);
  const beside = useSubject(other ?? subject, revision, other ? null : dialect);
  // What is tried while a call is looked at is the next request of its agent.
  const author = agents.find((one) => one.id === found.data?.call?.agent)?.id ?? null;
  const newest = useNewest(room.id, revision);
  const agentName = (id: string) => (agents.length > 1 ? agents.find((one) => one.id === id)?.name : undefined);
  const name = (one: Subject, seen: Seen | undefined) => words(one, seen, agentName);
  const choose = (next: Inspected) => {
    setByte(null);
    look({ inspect: next }, "replace");
  };
  return (
    <>
      <header className="inspect-head">
        <Corner again={() => void found.refetch()} />
        <Picker space={room.id} subject={subject} other={other} agents={agents} calls={newest.data?.calls ?? []} />
        {found.data && <Facts seen={found.data} />}
      </header>
      <Meters seen={found.data} space={room.id} revision={revision} />
      {other ? (
        <div className="inspect-body">
          <Compare
            one={{
              name: name(subject, found.data),
              data: found.data,
              error: found.error,
              again: () => void found.refetch(),
            }}
            other={{
              name: name(other, beside.found.data),
              data: beside.found.data,
              error: beside.found.error,
              again: () => void beside.found.refetch(),
            }}
          />
        </div>
      ) : (
        <>
          <div className="inspect-tabs">
            <Tabs label="What to look at" tabs={TABS} chosen={tab} choose={choose} />
          </div>
          <div className="inspect-body" role="tabpanel" aria-label={NAMES[tab]} aria-busy={found.isFetching}>
            {tab === "try" ? (
              <TryTab as={author ?? as} revision={revision} />
            ) : found.data ? (
              <TabBody
                tab={tab}
                seen={found.data}
                previous={previous}
                revision={revision}
                byte={byte}
                showByte={(at) => {
                  setByte(at);
                  look({ inspect: "wire", dialect: undefined });
                }}
              />
            ) : found.error ? (
              <Fault fault={found.error} again={() => void found.refetch()} />
            ) : (
              <Spinner label="Assembling" />
            )}
          </div>
        </>
      )}
    </>
  );
}

/** What one of two is called. */
function words(subject: Subject, seen: Seen | undefined, agent: (id: string) => string | undefined): string {
  if (subject.kind === "call") return seen?.call?.at ? `call of ${moment(seen.call.at)}` : "call";
  const whose = subject.as === null ? undefined : agent(subject.as);
  return `${subject.kind === "try" ? "tried" : "next"}${whose ? ` as ${whose}` : ""}`;
}
