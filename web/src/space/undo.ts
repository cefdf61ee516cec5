/** Nothing here is lost by a slip: what was done can be taken back, by the toast or by `u`. */
import { attempt, say } from "../ui/toasts";

interface Done {
  says: string;
  back: () => Promise<unknown>;
}

const done = new Map<string, Done[]>();
const MOST = 50;

/** Says what was done in a space, unless it is plain to see, and remembers the way back. */
export function remember(space: string, says: string, back: () => Promise<unknown>, how: "told" | "silent" = "told") {
  const one = { says, back };
  done.set(space, [...(done.get(space) ?? []).slice(1 - MOST), one]);
  if (how === "told") say(says, { label: "Undo", go: () => take(space, one) });
}

function take(space: string, one: Done) {
  done.set(
    space,
    (done.get(space) ?? []).filter((other) => other !== one),
  );
  void attempt(one.back);
}

/** Takes back what was done last. */
export function undoLast(space: string) {
  const last = done.get(space)?.at(-1);
  if (!last) {
    say("There is nothing to undo.");
    return;
  }
  take(space, last);
  say(`Undone: ${last.says}`);
}
