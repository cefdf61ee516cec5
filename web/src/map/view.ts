/** Where one looks at the map: a place and a size. Pure, so that a key, a wheel and two fingers do the same. */
import type { Box } from "./layout";

export interface View {
  /** Points of the screen for one of the map. */
  scale: number;
  /** Where the map's origin lies on the screen. */
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export const LEAST_SCALE = 0.01;
export const MOST_SCALE = 2.5;
/** From here on there is room for words. */
export const LABELS_FROM = 0.55;

export const moved = (view: View, x: number, y: number): View => ({ ...view, x: view.x + x, y: view.y + y });

/** Larger or smaller around a point of the screen. */
export function zoomed(view: View, by: number, x: number, y: number): View {
  const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, view.scale * by));
  const ratio = scale / view.scale;
  return { scale, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio };
}

const EDGE = 32;

/** All of it at once. */
export function fitted(box: Box, size: Size): View {
  const wide = (size.width - 2 * EDGE) / Math.max(1, box.right - box.left);
  const high = (size.height - 2 * EDGE) / Math.max(1, box.bottom - box.top);
  const scale = Math.max(LEAST_SCALE, Math.min(1, wide, high));
  return {
    scale,
    x: EDGE - box.left * scale,
    y: (size.height - (box.bottom + box.top) * scale) / 2,
  };
}

/** A place of the map in the middle of the screen. */
export function centred(x: number, y: number, scale: number, size: Size): View {
  return { scale, x: size.width / 2 - x * scale, y: size.height / 2 - y * scale };
}

/** A place of the screen, as a place of the map. */
export const onMap = (view: View, x: number, y: number) => ({
  x: (x - view.x) / view.scale,
  y: (y - view.y) / view.scale,
});
