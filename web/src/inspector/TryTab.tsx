/** The strategy lab: other choices, and at once which messages come in and which go. No model is asked. */
import { useMemo } from "react";
import { api, done } from "../api/client";
import type { Settings } from "../api/types";
import { isChat, useLook, useOpened } from "../space/context";
import { Button, Spinner } from "../ui/controls";
import { count, number } from "../ui/numbers";
import { attempt, say } from "../ui/toasts";
import { useAround } from "./around";
import { Fault } from "./Faults";
import { Flips } from "./Flips";
import { fates, flips, tally } from "./fates";
import { Lab } from "./Lab";
import { useLater } from "./later";
import { type Seen, useBase, useNext } from "./seen";
import { isNothing, NOTHING, setTried, type Tried, useTried } from "./tried";
import { occupied } from "./window";
import { KIND } from "./words";

export function TryTab({ as, revision }: { as: string | null; revision: number }) {
  const { state, room } = useOpened();
  const [, look] = useLook();
  const space = room.id;
  const tried = useTried(space);
  const later = useLater(tried, 300);
  const chat = isChat(state.members);
  const whose = state.members.find((one) => one.id === as)?.name;
  const base = useBase(as);
  const now = useNext({ ...base, revision });
  const then = useNext({ ...base, tried: later, revision, enabled: !isNothing(later) });
  const same = isNothing(tried);
  const change = (next: Tried) => setTried(space, next);
  return (
    <div className="stack">
      <p className="small soft">
        {chat || !whose ? "The next request" : `The next run of ${whose}`}, assembled at once with other choices. No
        model is asked, and nothing is spent.
      </p>
      <Lab
        tried={tried}
        own={state.space?.settings ?? {}}
        now={now.data?.report ?? undefined}
        model={now.data?.model ?? null}
        run={!chat}
        change={change}
      />
      <div className="row wraps lab-acts">
        <Button look="main" disabled={same} onClick={() => void apply(space, state.space?.settings ?? {}, tried)}>
          Apply to this space
        </Button>
        <Button disabled={same} onClick={() => change(NOTHING)}>
          Reset
        </Button>
        <Button disabled={same} onClick={() => look({ with: "try", call: undefined })}>
          Compare in full
        </Button>
        {then.isFetching && <Spinner label="Assembling" />}
      </div>
      {tried.model && (
        <p className="small soft">A model belongs to the agent: it is tried here, and not applied to the space.</p>
      )}
      {now.error && !now.data && <Misfitting fault={now.error} words="As it is now" again={() => void now.refetch()} />}
      {same ? (
        <p className="soft">Change something above, and see here what comes in and what goes.</p>
      ) : then.error ? (
        <Misfitting fault={then.error} words="As it is tried" again={() => void then.refetch()} />
      ) : (
        then.data && <Outcome now={now.data ?? null} then={then.data} />
      )}
    </div>
  );
}

function Misfitting({ fault, words, again }: { fault: unknown; words: string; again: () => void }) {
  return (
    <section className="stack">
      <h3>{words}</h3>
      <Fault fault={fault} again={again} />
    </section>
  );
}

/** What the choices change. */
function Outcome({ now, then }: { now: Seen | null; then: Seen }) {
  const { parent } = useAround();
  const turned = useMemo(
    () => flips(fates(now?.report?.items ?? [], parent), fates(then.report?.items ?? [], parent)),
    [now, then, parent],
  );
  if (!then.report) return null;
  const after = occupied(then.report.budget);
  const before = now?.report ? occupied(now.report.budget) : null;
  const alike = before !== null && now?.report?.counter.name === then.report.counter.name;
  const { sent } = tally(then.report.items);
  return (
    <section className="stack" aria-live="polite">
      <p>
        <b className="figure">{number(after)}</b> tokens{" "}
        <span className="source" title={then.report.counter.name}>
          {KIND[then.report.counter.kind]}
        </span>
        {alike && before !== null && <> · {difference(after - before)}</>} · {count(sent, "message")} in ·{" "}
        {turned.length === 0
          ? "no message flips"
          : `${count(turned.length, "message")} ${turned.length === 1 ? "flips" : "flip"}`}
      </p>
      {!alike && before !== null && (
        <p className="small soft">The two are counted in different ways, so their tokens are not compared.</p>
      )}
      <Flips flips={turned} before="now" after="tried" />
    </section>
  );
}

const difference = (tokens: number) =>
  tokens === 0 ? "as many as now" : `${number(Math.abs(tokens))} ${tokens > 0 ? "more" : "fewer"} than now`;

/** Makes what was tried the space's own, and offers to take it back. */
async function apply(space: string, before: Settings, tried: Tried) {
  const put = (settings: Settings) =>
    done(api.PATCH("/api/spaces/{space}", { params: { path: { space } }, body: { settings } }));
  await attempt(async () => {
    await put({ ...before, ...tried.settings });
    setTried(space, NOTHING);
    const undo = () =>
      void attempt(async () => {
        await put(before);
        setTried(space, tried);
      });
    say("This space is assembled like that from now on.", { label: "Undo", go: undo });
  });
}
