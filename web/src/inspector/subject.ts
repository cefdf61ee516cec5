/** What is inspected: the next request, as it would be or as it is tried, or one that was sent. */

export type Subject =
  /** The next request, through the eyes of an agent; null where there is only one. */
  | { kind: "next"; as: string | null }
  /** The same with what stands in the Try tab. */
  | { kind: "try"; as: string | null }
  | { kind: "call"; call: string };

/** From an address. */
export function subjectOf(text: string, as: string | null): Subject {
  if (text === "next") return { kind: "next", as };
  if (text === "try") return { kind: "try", as };
  if (text.startsWith("next:")) return { kind: "next", as: text.slice("next:".length) };
  return { kind: "call", call: text };
}

/** For an address. */
export function written(subject: Subject): string {
  if (subject.kind === "call") return subject.call;
  if (subject.kind === "try") return "try";
  return subject.as === null ? "next" : `next:${subject.as}`;
}
