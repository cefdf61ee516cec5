/** A call that a program made through the drop-in endpoints: the inspector without a space around it. */
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { INSPECTED, type Inspected } from "../router";
import { usePlace } from "../shell/title";
import { Spinner } from "../ui/controls";
import { Tabs } from "../ui/overlay";
import { AroundProvider, NOWHERE } from "./around";
import { Facts } from "./Facts";
import { Fault } from "./Faults";
import { Meters } from "./Meters";
import { MarkedProvider } from "./marked";
import { ScrollerProvider } from "./Rows";
import { useCall } from "./seen";
import { TabBody } from "./TabBody";
import { saidIn } from "./told";
import "./inspector.css";

type OwnTab = Exclude<Inspected, "try">;
const NAMES: Record<OwnTab, string> = { window: "Window", why: "Why", wire: "Wire", cache: "Cache", cost: "Cost" };
const TABS = INSPECTED.filter((id) => id !== "try").map((id) => ({ id, label: NAMES[id] }));

export function Page() {
  const { call } = useParams({ strict: false }) as { call: string };
  const search = useSearch({ strict: false }) as { inspect?: string };
  const navigate = useNavigate();
  usePlace("A call");
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [byte, setByte] = useState<number | null>(null);
  const [marked, mark] = useState<string | null>(null);
  const marks = useMemo(() => [marked, mark] as [typeof marked, typeof mark], [marked]);
  const { data, error, refetch } = useCall(null, call);
  const around = useMemo(
    () => ({ ...NOWHERE, said: saidIn(data?.report ?? null, data?.body ?? null) }),
    [data?.report, data?.body],
  );
  const asked = TABS.find((one) => one.id === search.inspect)?.id;
  const tab: OwnTab = asked ?? (data && !data.report ? "wire" : "window");
  const choose = (inspect: OwnTab) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, inspect }), replace: true });
  return (
    <AroundProvider value={around}>
      <MarkedProvider value={marks}>
        <ScrollerProvider value={scroller}>
          <div ref={setScroller} className="inspect full own">
            <header className="inspect-head">
              <div className="row">
                <h1 className="grow">A call of yours</h1>
                <Link to="/usage">All of them</Link>
              </div>
              {data && <Facts seen={data} />}
            </header>
            {error && <Fault fault={error} again={() => void refetch()} />}
            {!data && !error && <Spinner />}
            {data && (
              <>
                <Meters seen={data} space={null} revision={0} />
                <div className="inspect-tabs">
                  <Tabs label="What to look at" tabs={TABS} chosen={tab} choose={choose} />
                </div>
                <div className="inspect-body" role="tabpanel" aria-label={NAMES[tab]}>
                  <TabBody
                    tab={tab}
                    seen={data}
                    previous={null}
                    revision={0}
                    byte={byte}
                    showByte={(at) => {
                      setByte(at);
                      choose("wire");
                    }}
                  />
                </div>
              </>
            )}
          </div>
        </ScrollerProvider>
      </MarkedProvider>
    </AroundProvider>
  );
}
