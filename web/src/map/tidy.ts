/**
 * A tidy tree: branches lie below each other as close as they can, a node in the middle of what hangs on it.
 *
 * Each branch is known by its upper and lower outline, one number for each level; two are put together along the levels they share,
 * and the longer outline is kept. So all of it takes as long as there are nodes, however deep a chain is.
 */
export interface Tidied {
  parent: Tidied | null;
  children: Tidied[];
  y: number;
}

/** Levels from the deepest to the nearest; `shift` is still to be added to each number. */
interface Outline {
  upper: number[];
  lower: number[];
  shift: number;
}

/** Places all; `all` has parents before children. `near` is the distance of two on one node, `far` of others. */
export function tidy(all: Tidied[], near: number, far: number) {
  const outlines = new Map<Tidied, Outline>();
  for (let at = all.length - 1; at >= 0; at--) {
    const one = all[at]!;
    const outline = stacked(one.children, outlines, near, far);
    outline.upper.push(-outline.shift);
    outline.lower.push(-outline.shift);
    outlines.set(one, outline);
  }
  const roots = all.filter((one) => one.parent === null);
  stacked(roots, outlines, near, far);
  // Until here each stands where it does beside its parent.
  for (const one of all) if (one.parent) one.y += one.parent.y;
}

/** Puts branches below each other, around 0, and gives the outline of all. */
function stacked(branches: Tidied[], outlines: Map<Tidied, Outline>, near: number, far: number): Outline {
  let all: Outline | null = null;
  for (const branch of branches) {
    const next: Outline = outlines.get(branch)!;
    outlines.delete(branch);
    if (!all) {
      branch.y = 0;
      all = next;
      continue;
    }
    branch.y = distance(all, next, near, far);
    next.shift += branch.y;
    all = joined(all, next);
  }
  if (!all) return { upper: [], lower: [], shift: 0 };
  const middle = branches.at(-1)!.y / 2;
  for (const branch of branches) branch.y -= middle;
  all.shift -= middle;
  return all;
}

/** How far down a branch must be to stand clear of those above it. */
function distance(above: Outline, below: Outline, near: number, far: number): number {
  const levels = Math.min(above.lower.length, below.upper.length);
  let least = Number.NEGATIVE_INFINITY;
  for (let level = 1; level <= levels; level++) {
    const gap = level === 1 ? near : far;
    const bottom = above.lower[above.lower.length - level]! + above.shift;
    const top = below.upper[below.upper.length - level]! + below.shift;
    least = Math.max(least, bottom - top + gap);
  }
  return least;
}

function joined(above: Outline, below: Outline): Outline {
  const longer = above.lower.length >= below.lower.length;
  const [kept, other] = longer ? [above, below] : [below, above];
  const [side, from] = longer ? [kept.lower, other.lower] : [kept.upper, other.upper];
  for (let level = 1; level <= from.length; level++) {
    side[side.length - level] = from[from.length - level]! + other.shift - kept.shift;
  }
  return kept;
}
