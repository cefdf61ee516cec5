/** The canvas and what stands on it. It draws when something changed, once a frame and only then. */
import type { Cell } from "./cells";
import { hit, type Layout } from "./layout";
import { paint, radiusAt, type Scene } from "./paint";
import { centred, fitted, LABELS_FROM, onMap, type Size, type View, zoomed } from "./view";

export type Shown = Omit<Scene, "view" | "laid">;

/** More than this are not drawn anew in each frame of a move: their picture is moved, and drawn when the hand rests. */
const MANY = 2_500;
const REST = 120;

export class Stage {
  view: View = { scale: 1, x: 0, y: 0 };
  private size: Size = { width: 0, height: 0 };
  private frame = 0;
  private laid: Layout | null = null;
  private shown: Shown | null = null;
  private readonly resized: ResizeObserver;
  /** Whether it was ever looked at: until then the view is ours to choose. */
  private looked = false;
  private picture: { canvas: HTMLCanvasElement; view: View } | null = null;
  private movedAt = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly viewed: (view: View) => void,
  ) {
    this.resized = new ResizeObserver(() => this.measure());
    this.resized.observe(canvas);
    this.measure();
  }

  close() {
    this.resized.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
  }

  private measure() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = devicePixelRatio || 1;
    if (width === 0 || height === 0) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.size = { width, height };
    this.picture = null;
    this.begin();
    // A canvas that was resized is empty: it is drawn before it is seen.
    this.draw();
  }

  /** Another layout; what stands at `keep` stays where it is on the screen. */
  lay(laid: Layout, keep: string | null) {
    const before = keep ? this.laid?.cellOf.get(keep) : undefined;
    const after = keep ? laid.cellOf.get(keep) : undefined;
    if (before && after) {
      const { scale, x, y } = this.view;
      this.view = { scale, x: x + (before.x - after.x) * scale, y: y + (before.y - after.y) * scale };
    }
    this.laid = laid;
    this.picture = null;
    this.begin();
    this.redraw();
  }

  show(shown: Shown) {
    this.shown = shown;
    this.picture = null;
    this.begin();
    this.redraw();
  }

  /** At first all of it, if it can be read so; else what is chosen, or the head. */
  private begin() {
    if (this.looked || !this.laid || !this.shown || this.size.width === 0) return;
    this.looked = true;
    const all = fitted(this.laid.box, this.size);
    if (all.scale >= LABELS_FROM) this.view = all;
    else if (!this.goTo(this.shown.chosen) && !this.goTo(this.shown.head))
      this.view = { ...all, scale: Math.max(all.scale, 0.3) };
    this.viewed(this.view);
  }

  change(change: (view: View) => View) {
    this.view = change(this.view);
    this.movedAt = performance.now();
    this.viewed(this.view);
    this.redraw();
  }

  zoom(by: number) {
    this.change((view) => zoomed(view, by, this.size.width / 2, this.size.height / 2));
  }

  fit() {
    const { laid } = this;
    if (laid) this.change(() => fitted(laid.box, this.size));
  }

  /** Goes to a node, near enough to read; whether it is there. */
  goTo(id: string | null): boolean {
    const cell = id ? this.laid?.cellOf.get(id) : undefined;
    if (!cell) return false;
    this.change((view) => centred(cell.x + 60, cell.y, Math.max(view.scale, 0.8), this.size));
    return true;
  }

  /** Moves as little as needed for a node to be seen. */
  reveal(id: string) {
    const cell = this.laid?.cellOf.get(id);
    if (!cell) return;
    const [x, y] = [cell.x * this.view.scale + this.view.x, cell.y * this.view.scale + this.view.y];
    const edge = 60;
    const inside = x > edge && x < this.size.width - edge * 2 && y > edge && y < this.size.height - edge;
    if (!inside) this.change((view) => centred(cell.x + 60, cell.y, view.scale, this.size));
  }

  at(x: number, y: number): Cell | null {
    if (!this.laid) return null;
    const place = onMap(this.view, x, y);
    const reach = Math.max(12, radiusAt(this.view.scale)) / this.view.scale;
    return hit(this.laid, place.x, place.y, Math.min(reach, 60), this.view.scale >= LABELS_FROM);
  }

  /** Where a node is on the screen. */
  placeOf(id: string): { x: number; y: number } | null {
    const cell = this.laid?.cellOf.get(id);
    return cell ? { x: cell.x * this.view.scale + this.view.x, y: cell.y * this.view.scale + this.view.y } : null;
  }

  redraw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const ctx = this.canvas.getContext("2d", { alpha: false });
    if (!ctx || !this.laid || !this.shown) return;
    const ratio = devicePixelRatio || 1;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.picture && performance.now() - this.movedAt < REST) {
      this.shift(ctx, this.picture, this.shown.colours.paper);
      clearTimeout(this.rest);
      this.rest = setTimeout(() => this.redraw(), REST + 20);
      return;
    }
    const seen = paint(ctx, this.size, { ...this.shown, laid: this.laid, view: this.view });
    this.picture = seen > MANY ? { canvas: copied(this.canvas), view: this.view } : null;
  }

  private shift(
    ctx: CanvasRenderingContext2D,
    { canvas, view }: { canvas: HTMLCanvasElement; view: View },
    paper: string,
  ) {
    const { width, height } = this.size;
    const ratio = this.view.scale / view.scale;
    ctx.fillStyle = paper;
    ctx.fillRect(0, 0, width, height);
    ctx.drawImage(canvas, this.view.x - view.x * ratio, this.view.y - view.y * ratio, width * ratio, height * ratio);
  }
}

function copied(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext("2d", { alpha: false })?.drawImage(canvas, 0, 0);
  return copy;
}
