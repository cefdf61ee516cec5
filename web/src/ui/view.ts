/** What is chosen in a list stays in view. */
import { type RefObject, useEffect } from "react";

export function useChosenInView(list: RefObject<HTMLElement | null>, chosen: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is scrolled to
  useEffect(() => {
    // Newer browsers answer with a promise, which is nothing to clean up by.
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
}
