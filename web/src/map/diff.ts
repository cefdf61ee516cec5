/** What two versions of a text have in common, word by word. */
export interface Stretch {
  what: "same" | "gone" | "new";
  text: string;
}

/** Words, what is between them, and signs; scripts without spaces go letter by letter. */
const split = (text: string): string[] =>
  text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_'’]+|\s+|./gsu) ?? [];

/** Beyond this a comparison by words takes too long and says too little. */
const MOST = 4_000_000;

export function diff(before: string, after: string): Stretch[] {
  const [one, other] = [split(before), split(after)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const all: Stretch[] = [];
  add(all, "same", one.slice(0, start).join(""));
  if (left.length * right.length > MOST) {
    add(all, "gone", left.join(""));
    add(all, "new", right.join(""));
  } else between(left, right, all);
  add(all, "same", end > 0 ? one.slice(-end).join("") : "");
  return smoothed(all);
}

/** A blank between two changed words is part of the change: else every word is marked by itself. */
function smoothed(all: Stretch[]): Stretch[] {
  const smooth: Stretch[] = [];
  let [gone, fresh] = ["", ""];
  const flush = () => {
    add(smooth, "gone", gone);
    add(smooth, "new", fresh);
    [gone, fresh] = ["", ""];
  };
  all.forEach(({ what, text }, at) => {
    const inside = what === "same" && !/\S/.test(text) && at > 0 && at < all.length - 1;
    if (what === "same" && !inside) {
      flush();
      add(smooth, "same", text);
    } else {
      if (what !== "new") gone += text;
      if (what !== "gone") fresh += text;
    }
  });
  flush();
  return smooth;
}

function add(all: Stretch[], what: Stretch["what"], text: string) {
  if (!text) return;
  const last = all.at(-1);
  if (last?.what === what) last.text += text;
  else all.push({ what, text });
}

/** By the longest common subsequence: what is in it stays. */
function between(left: string[], right: string[], all: Stretch[]) {
  const wide = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * wide);
  for (let row = left.length - 1; row >= 0; row--) {
    for (let at = right.length - 1; at >= 0; at--) {
      lengths[row * wide + at] =
        left[row] === right[at]
          ? lengths[(row + 1) * wide + at + 1]! + 1
          : Math.max(lengths[(row + 1) * wide + at]!, lengths[row * wide + at + 1]!);
    }
  }
  let [row, at] = [0, 0];
  while (row < left.length || at < right.length) {
    if (row < left.length && at < right.length && left[row] === right[at]) {
      add(all, "same", left[row]!);
      row++;
      at++;
    } else if (
      at >= right.length ||
      (row < left.length && lengths[(row + 1) * wide + at]! >= lengths[row * wide + at + 1]!)
    ) {
      add(all, "gone", left[row++]!);
    } else add(all, "new", right[at++]!);
  }
}
