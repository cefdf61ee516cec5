/** Something wide that scrolls by itself, also with keys. */
import { type ReactNode, useEffect, useRef } from "react";

/** `fromEnd`: its end is what one wants to see first. */
export function Scrolls({ label, fromEnd, children }: { label: string; fromEnd?: boolean; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (fromEnd) ref.current?.scrollTo({ left: ref.current.scrollWidth });
  }, [fromEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it with the arrows
    <section ref={ref} className="scrolls" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
