/** The map as a picture: one canvas, drawn by a `Stage`, with the words of what is pointed at. */
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Cell } from "./cells";
import { attach } from "./hands";
import type { Layout } from "./layout";
import { type Shown, Stage } from "./stage";
import { moved } from "./view";
import type { Way } from "./walk";

interface Props {
  laid: Layout;
  /** What stays where it is when the layout becomes another. */
  keep: string | null;
  shown: Omit<Shown, "hovered">;
  stage: RefObject<Stage | null>;
  /** What a node is called beside the pointer. */
  says: (cell: Cell) => string;
  choose: (cell: Cell | null) => void;
  walk: (to: Way) => void;
  /** Goes to what is chosen. */
  enter: () => void;
}

const STEP = 60;
const ABOUT =
  "Map of the tree. Arrows move it, plus and minus zoom, Shift and arrows walk from node to node. The same tree is there as a list.";

export function Canvas({ laid, keep, shown, stage, says, choose, walk, enter }: Props) {
  const ref = useRef<HTMLCanvasElement>(null);
  const [pointed, setPointed] = useState<{ cell: Cell; x: number; y: number } | null>(null);
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    const made = new Stage(canvas, () => setPointed(null));
    stage.current = made;
    const off = attach({
      canvas,
      change: (change) => made.change(change),
      point: (x, y) => {
        const cell = made.at(x, y);
        canvas.style.cursor = cell ? "pointer" : "";
        setPointed((before) => (cell ? (before?.cell === cell ? before : { cell, x, y }) : null));
      },
      leave: () => setPointed(null),
      click: (x, y) => latest.current(made.at(x, y)),
    });
    return () => {
      off();
      made.close();
      stage.current = null;
    };
  }, [stage]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stays is asked when the layout becomes another, not else
  useEffect(() => stage.current?.lay(laid, keep), [laid, stage]);
  const hovered = pointed?.cell.twig.glance.id ?? null;
  useEffect(() => stage.current?.show({ ...shown, hovered }), [shown, hovered, stage]);
  const press = (event: React.KeyboardEvent) => {
    const way = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const steps = { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "previous", ArrowDown: "next" } as const;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way && event.shiftKey) walk(steps[event.key as keyof typeof steps]);
    else if (way) stage.current?.change((view) => moved(view, way[0]! * STEP, way[1]! * STEP));
    else if (event.key === "+" || event.key === "=") stage.current?.zoom(1.25);
    else if (event.key === "-") stage.current?.zoom(0.8);
    else if (event.key === "0") stage.current?.fit();
    else if (event.key === "Enter") enter();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className="map-picture"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the map, and every act has its button beside it
      tabIndex={0}
      aria-label={ABOUT}
      onKeyDown={press}
    >
      <canvas ref={ref} />
      {pointed && (
        <div className="map-words" aria-hidden="true" style={beside(pointed, ref.current)}>
          {says(pointed.cell)}
        </div>
      )}
    </div>
  );
}

/** Beside the pointer, on the side where there is room. */
function beside({ x, y }: { x: number; y: number }, canvas: HTMLCanvasElement | null): React.CSSProperties {
  const { clientWidth = 0, clientHeight = 0 } = canvas ?? {};
  return {
    ...(x > clientWidth / 2 ? { right: clientWidth - x + 14 } : { left: x + 14 }),
    ...(y > clientHeight / 2 ? { bottom: clientHeight - y + 14 } : { top: y + 14 }),
  };
}
