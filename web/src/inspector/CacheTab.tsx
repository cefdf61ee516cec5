/** What a provider's cache makes of a request: where marks stand, what changed, what is expected and what was reported. */
import { useQuery } from "@tanstack/react-query";
import type { Report } from "../api/types";
import { useLook } from "../space/context";
import { Button, Spinner } from "../ui/controls";
import { number, share, when } from "../ui/numbers";
import { useAround } from "./around";
import { bytesOf, callsOf } from "./ask";
import { readOf } from "./cost";
import { NodeName } from "./NodeName";
import { shared } from "./prefix";
import type { Seen } from "./seen";
import { occupied } from "./window";
import { KIND } from "./words";

const SECTIONS: Record<string, string> = {
  tools: "the tools",
  system: "the system text",
  history: "the messages",
  parameters: "the parameters",
};

export function CacheTab({ seen, report, previous, showByte }: CacheProps) {
  return (
    <div className="stack">
      {seen.call ? (
        <Sent seen={seen} report={report} showByte={showByte} />
      ) : (
        <Expected report={report} previous={previous} showByte={showByte} />
      )}
      <Marks report={report} />
      <p className="small soft">
        A provider reads from its cache what is the same as before, from the first byte to the first change. A cache
        that was not used for some minutes may be empty.
      </p>
    </div>
  );
}

interface CacheProps {
  seen: Seen;
  report: Report;
  previous: string | null;
  showByte: (byte: number) => void;
}

function Marks({ report }: { report: Report }) {
  const names: Record<string, string> = {
    tools: "After the tools",
    system: "After the system text",
    input: "After the new input",
  };
  const { marks } = report.cache;
  return (
    <section>
      <h3>Marks</h3>
      {marks.length === 0 ? (
        <p className="soft">None. This API caches by itself, or caching is off.</p>
      ) : (
        <ol className="notes">
          {marks.map((mark) => (
            <li key={mark} className="row">
              {names[mark] ?? (
                <>
                  After <NodeName node={mark} />
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Expected({ report, previous, showByte }: Omit<CacheProps, "seen">) {
  const [, look] = useLook();
  const { firstChange, predictedRead, predictedWrite } = report.cache;
  const all = occupied(report.budget);
  if (!previous)
    return <p className="soft">There is no earlier call of this agent here, so nothing is in a cache yet.</p>;
  return (
    <section className="stack">
      <h3>Since the last call</h3>
      <p>
        {firstChange ? (
          <>
            The first change is in <b>{SECTIONS[firstChange.section] ?? firstChange.section}</b>, at byte{" "}
            <span className="figure">{number(firstChange.byte)}</span>.
          </>
        ) : predictedRead === undefined || predictedRead === null ? (
          "The last call cannot be compared: it was in another wire format, or its bytes are not kept or not yours to see."
        ) : (
          "Nothing changed."
        )}
      </p>
      <div className="row wraps">
        {firstChange && <Button onClick={() => showByte(firstChange.byte)}>Show the place</Button>}
        <Button onClick={() => look({ with: previous })}>Compare with the last call</Button>
      </div>
      <table aria-label="What a cache is expected to do">
        <tbody>
          <Line name="Read from the cache" tokens={predictedRead} all={all} source="predicted" />
          <Line name="Put into the cache" tokens={predictedWrite} all={all} source="predicted" />
          <Line name="Whole request" tokens={all} all={all} source={KIND[report.counter.kind]} />
        </tbody>
      </table>
    </section>
  );
}

function Line({ name, tokens, all, source }: { name: string; tokens?: number | null; all: number; source: string }) {
  return (
    <tr>
      <th scope="row" className="plain">
        {name} <span className="source">{source}</span>
      </th>
      <td className="number">{tokens === null || tokens === undefined ? "—" : number(tokens)}</td>
      <td className="number">{tokens === null || tokens === undefined ? "" : share(tokens, all)}</td>
    </tr>
  );
}

function Sent({ seen, showByte }: Pick<CacheProps, "seen" | "report" | "showByte">) {
  const { space } = useAround();
  const [, look] = useLook();
  const call = seen.call!;
  const { data, isPending } = useQuery({
    queryKey: ["before", space, call.id],
    gcTime: 30_000,
    queryFn: async ({ signal }) => {
      const older = await callsOf(space, call.id, 50, signal);
      const found = older.calls.find((one) => one.agent === call.agent && one.purpose === call.purpose);
      const bytes = found && seen.body !== null ? await bytesOf({ space, call: found.id }, "request", signal) : null;
      return { found: found ?? null, shared: bytes !== null && seen.body !== null ? shared(bytes, seen.body) : null };
    },
  });
  const { usage } = call;
  const all = usage ? readOf(usage) : 0;
  return (
    <section className="stack">
      <h3>Since the call before</h3>
      {isPending ? (
        <Spinner />
      ) : !data?.found ? (
        <p className="soft">There is no earlier call of this kind.</p>
      ) : !data.shared ? (
        <p className="soft">The bytes of one of the two are not kept, so they cannot be compared.</p>
      ) : (
        <>
          <p>
            {data.shared.field === null ? "The same, byte for byte" : "The same up to byte "}
            {data.shared.field !== null && <span className="figure">{number(data.shared.bytes)}</span>} of{" "}
            <span className="figure">{number(data.shared.of)}</span> ({share(data.shared.bytes, data.shared.of)}),
            compared with {data.found.at ? `the one at ${when(data.found.at)}` : "the one before"}.
            {data.shared.field !== null && (
              <>
                {" "}
                The first change is in <code>{data.shared.field}</code>.
              </>
            )}
          </p>
          <div className="row wraps">
            {data.shared.field !== null && <Button onClick={() => showByte(data.shared!.bytes)}>Show the place</Button>}
            {space && <Button onClick={() => look({ with: data.found!.id })}>Compare the two</Button>}
          </div>
        </>
      )}
      {usage ? (
        <table aria-label="What the cache did">
          <tbody>
            <Line name="Read from the cache" tokens={usage.cacheRead ?? 0} all={all} source={source(call)} />
            <Line name="Put into the cache" tokens={usage.cacheWrite ?? 0} all={all} source={source(call)} />
            <Line name="Read afresh" tokens={usage.input ?? 0} all={all} source={source(call)} />
          </tbody>
        </table>
      ) : (
        <p className="soft">The provider told of no usage.</p>
      )}
    </section>
  );
}

const source = (call: { estimated: boolean }) => (call.estimated ? "counted here" : "reported");
