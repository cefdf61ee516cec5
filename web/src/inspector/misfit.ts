/** Why a request does not fit, and the way out, in words. Pure. */
import type { Misfit } from "../api/client";
import type { Settings } from "../api/types";
import { number } from "../ui/numbers";

/** What counts in tokens; the rest are limits of an API, in a unit of their own. */
const OF_WINDOW: Record<string, { cause: string; out: string }> = {
  everything: {
    cause: "This strategy leaves nothing out, so nothing is sent until all of it fits.",
    out: "Try another strategy, or leave a message out yourself.",
  },
  required: {
    cause: "What must be sent does not fit, whatever else is left out.",
    out: "Leave a large message out, or take a longer context or a model that has one.",
  },
  system: {
    cause: "System text and tools alone leave no room for a message.",
    out: "Shorten the prompt, send fewer tools, or take a longer context or a model that has one.",
  },
};

/** A choice that makes room at once, to be tried; none where only a person can say what may go. */
export function trial({ what, largest }: Misfit, tried: Settings = {}): { words: string; settings: Settings } | null {
  if (what === "everything" && tried.truncationStrategy !== "dropOldest") {
    return { words: "Try dropping the oldest", settings: { truncationStrategy: "dropOldest" } };
  }
  if (what === "system" && largest.some((one) => one.what === "tools") && tried.toolPolicy !== "all-off") {
    return { words: "Try without tools", settings: { toolPolicy: "all-off" } };
  }
  return null;
}

/** By how much, in a few words. */
export function excess({ what, needed, limit }: Misfit): string {
  const unit = OF_WINDOW[what] ? "tokens" : what;
  return `${number(needed - limit)} ${unit} too many`;
}

/** What stands in the way, and what to do about it. */
export function ways({ what }: Misfit): { cause: string; out: string } {
  const known = OF_WINDOW[what];
  if (known) return known;
  return {
    cause: `The model's API takes no more ${what} in one request.`,
    out: "Leave some of the messages out, or take a model with another API.",
  };
}
