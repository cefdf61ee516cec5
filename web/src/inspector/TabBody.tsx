/** One tab of a request. */
import type { Inspected } from "../router";
import { Empty } from "../ui/controls";
import { CacheTab } from "./CacheTab";
import { CostTab } from "./CostTab";
import type { Seen } from "./seen";
import { WhyTab } from "./WhyTab";
import { WindowTab } from "./WindowTab";
import { WireTab } from "./WireTab";

interface TabBodyProps {
  tab: Exclude<Inspected, "try">;
  seen: Seen;
  previous: string | null;
  revision: number;
  byte: number | null;
  showByte: (byte: number) => void;
}

export function TabBody({ tab, seen, previous, revision, byte, showByte }: TabBodyProps) {
  const { report } = seen;
  if (tab === "wire") return <WireTab seen={seen} revision={revision} byte={byte} />;
  if (tab === "cost") return <CostTab seen={seen} revision={revision} />;
  if (!report) {
    return (
      <Empty title="Nothing tells how it was made">
        It was passed on untouched, or came from a file. The Wire tab shows its bytes.
      </Empty>
    );
  }
  if (tab === "window") return <WindowTab seen={seen} report={report} />;
  if (tab === "why") return <WhyTab report={report} />;
  return <CacheTab seen={seen} report={report} previous={previous} showByte={showByte} />;
}
