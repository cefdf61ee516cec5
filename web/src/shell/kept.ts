let person = "";

/** Who is signed in: words of one are not shown to the next who uses this browser. */
export function keepFor(entity: string) {
  person = entity;
}

/** The name of something that is one person's own. */
export const own = (name: string) => `${person}.${name}`;

/** Small choices that this browser keeps. A browser that keeps nothing (private windows) is no fault. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`weft.${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(`weft.${name}`);
    else localStorage.setItem(`weft.${name}`, value);
  } catch {
    // Then it holds until the page is closed.
  }
}

export type Light = "system" | "light" | "dark";

/** Light or dark, by the system unless somebody chose. */
export function light(): Light {
  const chosen = kept("light");
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function setLight(chosen: Light) {
  keep("light", chosen === "system" ? null : chosen);
  showLight();
}

export function showLight() {
  const chosen = light();
  if (chosen === "system") delete document.documentElement.dataset.light;
  else document.documentElement.dataset.light = chosen;
}
