/** Text taken out of the page: to the clipboard, or to a file. */
import { say } from "./toasts";

/** Copies, and tells whether it could; where the browser has no clipboard (no encryption), through a field as in old times. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    // While a dialog is open, nothing outside it can be selected.
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}

/** Copies, and says so. */
export async function copy(text: string, says = "Copied.") {
  say((await copied(text)) ? says : "The browser does not let this page copy. Select the text instead.");
}

export function download(text: string, name: string, type: string) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
