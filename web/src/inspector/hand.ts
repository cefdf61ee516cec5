/** Text taken out of the page: to the clipboard, or to a file. */
import { say } from "../ui/toasts";

/** Copies; where the browser forbids it (no encryption), through a field as in old times. */
export async function copy(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (!copied) {
      say("The browser does not let this page copy. Select the text instead.");
      return;
    }
  }
  say(`${what} copied.`);
}

export function download(text: string, name: string, type: string) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
