/** Signs drawn here, so that no font has to have them. They stand beside words or a label, never alone. */

const SHAPES = {
  runs: "M4 3 L13 8 L4 13 Z",
  agents: "M8 2 L14 8 L8 14 L2 8 Z",
  plans: "M8 2 a6 6 0 1 0 0.01 0 M8 5 V8 L10.5 9.5",
  usage: "M3 14 V8 M8 14 V3 M13 14 V6",
  import: "M5 3 V13 M2 10 L5 13 L8 10 M11 13 V3 M8 6 L11 3 L14 6",
  settings: "M2 5 H14 M2 11 H14 M6 3 V7 M10 9 V13",
  search: "M7 2.5 a4.5 4.5 0 1 0 0.01 0 M10.3 10.3 L14 14",
  lock: "M4 7 H12 V13.5 H4 Z M5.5 7 V5 a2.5 2.5 0 0 1 5 0 V7",
  waiting: "M4 2 H12 M4 14 H12 M5 2 C5 7 11 9 11 14 M11 2 C11 7 5 9 5 14",
  working: "M8 2 a6 6 0 1 0 0.01 0 M8 2 a6 6 0 0 1 0 12 Z",
  queued: "M8 2 a6 6 0 1 0 0.01 0",
  parked: "M5 3 V13 M11 3 V13",
  done: "M2.5 8.5 L6.5 12.5 L13.5 4",
  failed: "M3.5 3.5 L12.5 12.5 M12.5 3.5 L3.5 12.5",
  stopped: "M4 4 H12 V12 H4 Z",
  asks: "M5 6 a3 3 0 1 1 4 2.8 C8.3 9.2 8 9.6 8 10.5 M8 13 V13.2",
  space: "M2 4 H14 V11.5 H7 L4 14 V11.5 H2 Z",
} as const;

export type SignName = keyof typeof SHAPES;

const FILLED = new Set<SignName>(["working"]);

export function Sign({ name, size = 14 }: { name: SignName; size?: number }) {
  return (
    <svg
      className="sign"
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={FILLED.has(name) ? "currentColor" : "none"}
      fillOpacity={FILLED.has(name) ? 0.35 : undefined}
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
