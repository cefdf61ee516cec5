/**
 * Where two texts differ, line by line (Myers). Bodies can be huge and have nothing in common: beyond a bound the middle is
 * told as one block, the old then the new, which is true and cheap.
 */
export interface DiffLine {
  kind: "same" | "old" | "new";
  text: string;
  /** Their numbers, from 1; none where the line is not there. */
  old: number | null;
  now: number | null;
}

/** So many steps at most: the work grows with its square. */
const MOST_STEPS = 1_500;

export function diff(before: string[], after: string[]): DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const all: DiffLine[] = [];
  const same = (old: number, now: number) => all.push({ kind: "same", text: before[old]!, old: old + 1, now: now + 1 });
  for (let at = 0; at < head; at++) same(at, at);
  for (const step of middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail))) {
    const [old, now] = [step.old + head, step.now + head];
    if (step.kind === "same") same(old, now);
    else if (step.kind === "old") all.push({ kind: "old", text: before[old]!, old: old + 1, now: null });
    else all.push({ kind: "new", text: after[now]!, old: null, now: now + 1 });
  }
  for (let at = tail; at > 0; at--) same(before.length - at, after.length - at);
  return all;
}

interface Step {
  kind: DiffLine["kind"];
  old: number;
  now: number;
}

function middle(before: string[], after: string[]): Step[] {
  const [old, now] = [before.length, after.length];
  const trail = furthest(before, after);
  if (!trail) {
    return [
      ...before.map((_, at): Step => ({ kind: "old", old: at, now: 0 })),
      ...after.map((_, at): Step => ({ kind: "new", old: old, now: at })),
    ];
  }
  const steps: Step[] = [];
  let [x, y] = [old, now];
  for (let depth = trail.length - 1; depth >= 0; depth--) {
    const reached = trail[depth]!;
    const diagonal = x - y;
    const down =
      diagonal === -depth ||
      (diagonal !== depth && at(reached, diagonal - 1, depth) < at(reached, diagonal + 1, depth));
    const from = down ? diagonal + 1 : diagonal - 1;
    const startX = depth === 0 ? 0 : at(reached, from, depth);
    const startY = depth === 0 ? 0 : startX - from;
    while (x > startX && y > startY && x > 0 && y > 0 && before[x - 1] === after[y - 1]) {
      x--;
      y--;
      steps.push({ kind: "same", old: x, now: y });
    }
    if (depth === 0) break;
    if (down) steps.push({ kind: "new", old: x, now: --y });
    else steps.push({ kind: "old", old: --x, now: y });
  }
  return steps.reverse();
}

/** How far each diagonal was reached before a step. Kept as small arrays around the middle. */
const at = (reached: Int32Array, diagonal: number, depth: number) => reached[diagonal + depth + 1] ?? 0;

/** For each depth, how far each diagonal had been reached before it; null if the two have too little in common. */
function furthest(before: string[], after: string[]): Int32Array[] | null {
  const [old, now] = [before.length, after.length];
  const most = Math.min(old + now, MOST_STEPS);
  const middle = most + 1;
  const best = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let depth = 0; depth <= most; depth++) {
    trail.push(best.slice(middle - depth - 1, middle + depth + 2));
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const down =
        diagonal === -depth || (diagonal !== depth && best[middle + diagonal - 1]! < best[middle + diagonal + 1]!);
      let x = down ? best[middle + diagonal + 1]! : best[middle + diagonal - 1]! + 1;
      while (x < old && x - diagonal < now && before[x] === after[x - diagonal]) x++;
      best[middle + diagonal] = x;
      if (x >= old && x - diagonal >= now) return trail;
    }
  }
  return null;
}

export interface Folded {
  lines: DiffLine[];
  /** How many equal lines are folded away here, instead of lines. */
  hidden: number;
}

/** Long stretches of equal lines folded, with a few left around what differs. */
export function folded(all: DiffLine[], around = 3): Folded[] {
  const near = new Uint8Array(all.length);
  for (const [index, line] of all.entries()) {
    if (line.kind === "same") continue;
    near.fill(1, Math.max(0, index - around), Math.min(all.length, index + around + 1));
  }
  const blocks: Folded[] = [];
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && near[to] === near[from]) to++;
    const lines = all.slice(from, to);
    // A fold that saves nothing is none.
    blocks.push(near[from] || lines.length < 4 ? { lines, hidden: 0 } : { lines, hidden: lines.length });
    from = to;
  }
  return blocks;
}
