/** The page's colours, as a canvas needs them: read from the tokens, again when it becomes dark or light. */
import { useEffect, useState } from "react";

const NAMES = [
  "paper",
  "raised",
  "line",
  "line-strong",
  "ink",
  "ink-soft",
  "accent",
  "accent-soft",
  "red",
  "yellow",
] as const;
export const TINTS = ["accent", "violet", "blue", "yellow", "green"] as const;

export interface Colours extends Record<(typeof NAMES)[number], string> {
  tints: string[];
}

export function readColours(): Colours {
  const probe = document.createElement("span");
  document.body.append(probe);
  // A token may say "light or dark": only a colour that is used is one of them.
  const read = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const named = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<(typeof NAMES)[number], string>;
  const colours = { ...named, tints: TINTS.map(read) };
  probe.remove();
  return colours;
}

export function useColours(): Colours {
  const [colours, set] = useState(readColours);
  useEffect(() => {
    const again = () => set(readColours());
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", again);
    const chosen = new MutationObserver(again);
    chosen.observe(document.documentElement, { attributeFilter: ["data-light"] });
    return () => {
      dark.removeEventListener("change", again);
      chosen.disconnect();
    };
  }, []);
  return colours;
}
