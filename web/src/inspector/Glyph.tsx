/** Signs that not every font has. They stand in buttons with a label. */
const SHAPES = {
  full: "M2 6 V2 H6 M10 2 H14 V6 M14 10 V14 H10 M6 14 H2 V10",
  beside: "M2 3 H14 V13 H2 Z M9.5 3 V13",
  wire: "M6 2.5 C4 2.5 5 7.5 3 8 C5 8.5 4 13.5 6 13.5 M10 2.5 C12 2.5 11 7.5 13 8 C11 8.5 12 13.5 10 13.5",
} as const;

export function Glyph({ name }: { name: keyof typeof SHAPES }) {
  return (
    <svg
      aria-hidden="true"
      width="14"
      height="14"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
