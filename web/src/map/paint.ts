/**
 * Draws what is in the window, and nothing else. Things of one look are drawn as one path: a frame is a few strokes and fills,
 * however many nodes there are. What is too small to be told apart is drawn once.
 */
import type { Glance } from "../api/types";
import type { Cell } from "./cells";
import type { Colours } from "./colours";
import { COLUMN, type Layout, within } from "./layout";
import { has, onOneLine } from "./tree";
import { LABELS_FROM, type Size, type View } from "./view";

export type Shape = "round" | "square" | "diamond";

export interface Look {
  shape: Shape;
  /** Which of the tints. */
  tint: number;
}

export interface Scene {
  laid: Layout;
  view: View;
  colours: Colours;
  /** How an author's nodes look. */
  look: (author: string) => Look;
  /** Nodes from the root to the head. */
  path: ReadonlySet<string>;
  head: string | null;
  /** What was looked for; everything else is dimmed. */
  found: ReadonlySet<string> | null;
  chosen: string | null;
  /** The first of two that are compared. */
  paired: string | null;
  hovered: string | null;
}

const FONT = "12px system-ui, sans-serif";
/** The last part of a column, where edges bend; labels end before it. */
const BEND = 0.2;
/** How large a node is at most. */
const RADIUS = 7;

export const radiusAt = (scale: number) => Math.max(1.2, Math.min(RADIUS, RADIUS * scale * 1.3));

/** Gives how many cells came into the window. */
export function paint(ctx: CanvasRenderingContext2D, size: Size, scene: Scene): number {
  const { colours } = scene;
  ctx.fillStyle = colours.paper;
  ctx.fillRect(0, 0, size.width, size.height);
  const seen = cellsSeen(size, scene);
  edges(ctx, seen, scene);
  nodes(ctx, seen, size, scene);
  if (scene.view.scale >= LABELS_FROM) labels(ctx, seen, size, scene);
  marks(ctx, seen, size, scene);
  rings(ctx, scene);
  return seen.length;
}

/** What comes into the window; of what falls on one point only the first, and whatever is on the path. */
export function cellsSeen(size: Size, { laid, view, path }: Scene): Cell[] {
  const left = Math.max(0, Math.floor(-view.x / view.scale / COLUMN));
  const right = Math.min(laid.levels.length - 1, Math.ceil((size.width - view.x) / view.scale / COLUMN) + 1);
  const [top, bottom] = [(-view.y - 20) / view.scale, (size.height - view.y + 20) / view.scale];
  const apart = 0.8 / view.scale;
  const seen: Cell[] = [];
  for (let at = left; at <= right; at++) {
    const row = laid.levels[at];
    if (!row) continue;
    const [from, to] = within(row, top, bottom);
    let last = Number.NEGATIVE_INFINITY;
    for (let one = from; one < to; one++) {
      const cell = row[one]!;
      if (cell.y - last < apart && !path.has(cell.twig.glance.id)) continue;
      last = cell.y;
      seen.push(cell);
    }
  }
  return seen;
}

function edges(ctx: CanvasRenderingContext2D, seen: Cell[], scene: Scene) {
  const { view, colours, path } = scene;
  const curved = view.scale > 0.2;
  const stroke = (style: string, width: number, dash: number[], mine: (cell: Cell) => boolean) => {
    ctx.strokeStyle = style;
    ctx.lineWidth = width;
    ctx.setLineDash(dash);
    ctx.beginPath();
    for (const cell of seen) {
      if (!cell.parent || !mine(cell)) continue;
      const [fromX, fromY] = [cell.parent.x * view.scale + view.x, cell.parent.y * view.scale + view.y];
      const [toX, toY] = [cell.x * view.scale + view.x, cell.y * view.scale + view.y];
      ctx.moveTo(fromX, fromY);
      if (curved && cell.y !== cell.parent.y) {
        const bend = BEND * COLUMN * view.scale;
        ctx.lineTo(toX - bend, fromY);
        ctx.bezierCurveTo(toX - bend / 3, fromY, toX - (bend * 2) / 3, toY, toX, toY);
      } else ctx.lineTo(toX, toY);
    }
    ctx.stroke();
    ctx.setLineDash([]);
  };
  const onPath = (cell: Cell) => path.has(cell.twig.glance.id);
  const remark = (cell: Cell) => cell.twig.glance.edge === "annotation";
  const thin = Math.max(0.6, Math.min(1.2, view.scale * 2));
  stroke(colours["line-strong"], thin, [], (cell) => !onPath(cell) && !remark(cell));
  if (curved) stroke(colours["line-strong"], thin, [3, 3], (cell) => !onPath(cell) && remark(cell));
  stroke(colours.accent, Math.max(1.6, Math.min(3, view.scale * 4)), [], onPath);
}

/** One path for each look. */
function nodes(ctx: CanvasRenderingContext2D, seen: Cell[], size: Size, scene: Scene) {
  const { view, colours } = scene;
  const radius = radiusAt(view.scale);
  const groups = new Map<string, Cell[]>();
  for (const cell of seen) {
    const [x, y] = [cell.x * view.scale + view.x, cell.y * view.scale + view.y];
    if (x < -20 || x > size.width + 20 || y < -20 || y > size.height + 20) continue;
    const { shape, tint } = scene.look(cell.twig.glance.author);
    const dim = dimmed(cell, scene);
    const hollow = has(cell.twig, "excluded") || has(cell.twig, "pruned") || cell.twig.glance.status === "pending";
    const key = `${dim ? 0 : 1}${hollow ? 0 : 1}${cell.folded ? "fold" : shape}${cell.folded ? 0 : tint % colours.tints.length}`;
    const group = groups.get(key);
    if (group) group.push(cell);
    else groups.set(key, [cell]);
  }
  for (const [key, group] of [...groups].sort()) {
    const fold = key.slice(2, -1) === "fold";
    const tint = fold ? colours["line-strong"] : colours.tints[Number(key.at(-1))]!;
    ctx.globalAlpha = key[0] === "0" ? 0.22 : 1;
    ctx.beginPath();
    for (const cell of group) outline(ctx, cell, key.slice(2, -1), view, radius);
    if (key[1] === "1" || radius < 3) {
      ctx.fillStyle = tint;
      ctx.fill();
    } else {
      ctx.fillStyle = colours.paper;
      ctx.fill();
      ctx.strokeStyle = tint;
      ctx.lineWidth = 1.5;
      ctx.setLineDash([2.5, 2]);
      ctx.stroke();
      ctx.setLineDash([]);
    }
  }
  ctx.globalAlpha = 1;
}

function outline(ctx: CanvasRenderingContext2D, cell: Cell, shape: string, view: View, radius: number) {
  const [x, y] = [cell.x * view.scale + view.x, cell.y * view.scale + view.y];
  if (shape === "fold") {
    const wide = Math.max(radius * 2, 16 * Math.min(1, view.scale * 1.3));
    ctx.roundRect(x - radius, y - radius * 0.7, wide, radius * 1.4, radius * 0.7);
  } else if (radius < 2.5 || shape === "square") {
    ctx.rect(x - radius, y - radius, radius * 2, radius * 2);
  } else if (shape === "diamond") {
    ctx.moveTo(x, y - radius);
    ctx.lineTo(x + radius, y);
    ctx.lineTo(x, y + radius);
    ctx.lineTo(x - radius, y);
    ctx.closePath();
  } else {
    ctx.moveTo(x + radius, y);
    ctx.arc(x, y, radius, 0, Math.PI * 2);
  }
}

export function dimmed(cell: Cell, { found }: Pick<Scene, "found">): boolean {
  if (!found) return false;
  return cell.folded ? !cell.folded.some((twig) => found.has(twig.glance.id)) : !found.has(cell.twig.glance.id);
}

/** A node's words are made one line once, and again when they are others. */
const lines = new WeakMap<Glance, string>();

function labelOf({ twig: { glance }, folded }: Cell): string {
  if (folded) return `${folded.length} messages`;
  const known = lines.get(glance);
  if (known !== undefined) return known;
  const line = onOneLine(glance.text);
  lines.set(glance, line);
  return line;
}

/** About so many points is a letter wide. */
const LETTER = 6.3;

function labels(ctx: CanvasRenderingContext2D, seen: Cell[], size: Size, scene: Scene) {
  const { view, colours } = scene;
  const room = COLUMN * view.scale * (1 - BEND) - radiusAt(view.scale) - 4;
  const letters = Math.floor(room / LETTER);
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  for (const soft of [true, false]) {
    ctx.fillStyle = soft ? colours["ink-soft"] : colours.ink;
    for (const cell of seen) {
      const [x, y] = [cell.x * view.scale + view.x, cell.y * view.scale + view.y];
      if (x < -COLUMN * view.scale || x > size.width || y < -10 || y > size.height + 10) continue;
      if (soft === scene.path.has(cell.twig.glance.id) || dimmed(cell, scene)) continue;
      const left = x + radiusAt(view.scale) + (cell.folded ? 12 : 5) + signs(cell, scene).length * 15;
      const most = letters - (cell.folded ? 1 : 0) - Math.ceil((signs(cell, scene).length * 15) / LETTER);
      const line = labelOf(cell);
      const label = line.length > most ? `${line.slice(0, Math.max(1, most - 1))}…` : line;
      // The label lies on the line that goes on: paper behind it keeps it readable.
      ctx.save();
      ctx.fillStyle = colours.paper;
      ctx.fillRect(left - 2, y - 8, Math.min(room, label.length * (LETTER + 0.8)) + 4, 16);
      ctx.restore();
      ctx.fillText(label, left, y, room);
    }
  }
}

/** What is to be seen of a node besides its author. */
export function signs(cell: Cell, { head }: Pick<Scene, "head">): string[] {
  if (cell.folded) return [];
  const { twig } = cell;
  const { kind, status, id } = twig.glance;
  const all: string[] = [];
  if (id === head) all.push("⌂");
  if (has(twig, "bookmarked")) all.push("★");
  if (has(twig, "pinned")) all.push("📌");
  if (has(twig, "excluded")) all.push("◌");
  if (has(twig, "pruned")) all.push("✂");
  if (kind === "summary" || kind === "summaryRequest") all.push("📋");
  if (kind === "title" || kind === "titleRequest") all.push("📝");
  if (status === "error") all.push("⚠");
  if (status === "pending") all.push("…");
  return all;
}

/** Signs are seen from afar, too: they are what one looks for. */
function marks(ctx: CanvasRenderingContext2D, seen: Cell[], size: Size, scene: Scene) {
  const { view, colours } = scene;
  if (view.scale < 0.12) return;
  const radius = radiusAt(view.scale);
  ctx.textBaseline = "middle";
  ctx.font = `${view.scale >= LABELS_FROM ? 13 : 11}px system-ui, sans-serif`;
  for (const cell of seen) {
    const all = signs(cell, scene);
    if (all.length === 0) continue;
    const [x, y] = [cell.x * view.scale + view.x, cell.y * view.scale + view.y];
    if (x < -40 || x > size.width || y < -10 || y > size.height + 10) continue;
    ctx.globalAlpha = dimmed(cell, scene) ? 0.3 : 1;
    all.forEach((sign, at) => {
      ctx.fillStyle =
        sign === "⚠" ? colours.red : sign === "★" ? colours.yellow : sign === "⌂" ? colours.accent : colours.ink;
      ctx.fillText(sign, x + radius + 4 + at * 15, y);
    });
  }
  ctx.globalAlpha = 1;
}

/** Around the head, what is chosen, what is pointed at. */
function rings(ctx: CanvasRenderingContext2D, scene: Scene) {
  const { laid, view, colours } = scene;
  const radius = radiusAt(view.scale);
  const ring = (id: string | null, style: string, width: number, gap: number, dash: number[] = []) => {
    const cell = id ? laid.cellOf.get(id) : undefined;
    if (!cell) return;
    ctx.beginPath();
    ctx.setLineDash(dash);
    ctx.arc(cell.x * view.scale + view.x, cell.y * view.scale + view.y, Math.max(5, radius) + gap, 0, Math.PI * 2);
    ctx.strokeStyle = style;
    ctx.lineWidth = width;
    ctx.stroke();
    ctx.setLineDash([]);
  };
  ring(scene.head, colours.accent, 2, 3);
  ring(scene.hovered, colours["ink-soft"], 1, 4);
  ring(scene.paired, colours.ink, 1.5, 6, [4, 3]);
  ring(scene.chosen, colours.ink, 2, 5);
}
