/** A long list of which only what is seen is there. It scrolls with the inspector, not by itself. */
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  createContext,
  memo,
  type ReactNode,
  type Ref,
  useContext,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

const Context = createContext<HTMLElement | null>(null);
/** What scrolls. */
export const ScrollerProvider = Context.Provider;

export interface RowsHandle {
  reveal: (index: number) => void;
}

interface RowsProps {
  count: number;
  /** How high a row is, more or less. */
  height: number;
  label: string;
  /** The same function while the rows are the same: with another one all of them are measured again. */
  keyOf: (index: number) => string | number;
  row: (index: number) => ReactNode;
  className?: string;
  ref?: Ref<RowsHandle>;
}

/** For rows that are their places. */
export const byPlace = (index: number) => index;

/** Shorter lists are simply there: then a browser can search them. */
const FEW = 60;

export function Rows({ count, height, label, keyOf, row, className = "", ref }: RowsProps) {
  const scroller = useContext(Context);
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const virtual = useVirtualizer({
    count,
    enabled: count > FEW,
    getScrollElement: () => scroller,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: 12,
    scrollMargin: margin,
  });
  // What stands above the list may change with any rendering, but for those of scrolling.
  useLayoutEffect(() => {
    if (virtual.isScrolling || !scroller || !list.current) return;
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    setMargin(Math.round(top));
  });
  useImperativeHandle(ref, () => ({
    reveal: (index) => {
      if (count > FEW) virtual.scrollToIndex(index, { align: "center" });
      else list.current?.children[index]?.scrollIntoView({ block: "center" });
    },
  }));
  if (count <= FEW) {
    return (
      <div ref={list} className={`rows ${className}`} role="list" aria-label={label}>
        {Array.from({ length: count }, (_, index) => (
          <div key={keyOf(index)} role="listitem">
            {row(index)}
          </div>
        ))}
      </div>
    );
  }
  return (
    <div
      ref={list}
      className={`rows virtual ${className}`}
      role="list"
      aria-label={label}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map((item) => (
        <div
          key={item.key}
          ref={virtual.measureElement}
          data-index={item.index}
          role="listitem"
          aria-setsize={count}
          aria-posinset={item.index + 1}
          style={{ transform: `translateY(${item.start - margin}px)` }}
        >
          <Line index={item.index} row={row} />
        </div>
      ))}
    </div>
  );
}

/** A row is drawn again only if its list is another, not with each step of scrolling. */
const Line = memo(function Line({ index, row }: { index: number; row: (index: number) => ReactNode }) {
  return row(index);
});
