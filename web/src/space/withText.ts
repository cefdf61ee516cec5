/** A text put in the place of another. */
import type { Part } from "../api/types";

/** The same parts with another text: pictures and files stay. */
export function withText(parts: readonly Part[], text: string): Part[] {
  const rest = parts.filter((part) => part.type === "image" || part.type === "file");
  return text.trim() === "" ? rest : [{ type: "text", text }, ...rest];
}
