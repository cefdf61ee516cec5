/**
 * A body as lines to read.
 *
 * It is laid out token by token and never parsed into values: what is shown is what is sent, digit for digit. A long text
 * is broken where its line breaks are, so that a prompt reads like a prompt; such a row has no number of its own.
 */

/** A row of the view. */
export interface Row {
  /** The line it belongs to, from 0. */
  line: number;
  /** Where in the line it begins. */
  column: number;
  text: string;
  /** Where in the body it begins, in characters. */
  at: number;
  /** The field of the body that it is in: `messages`, `tools`, … */
  field: string | null;
  /** Which element of that field, from 0. */
  element: number | null;
}

export interface Laid {
  rows: Row[];
  /** How many lines. */
  lines: number;
  json: boolean;
}

/** Longer rows are broken, wherever they are. */
const LONGEST = 1200;
const INDENT = 2;

/** Whether a text is one JSON value. */
function isJson(body: string): boolean {
  const first = body.trimStart()[0];
  if (first !== "{" && first !== "[") return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

export function lay(body: string, raw = false): Laid {
  return !raw && isJson(body) ? laidJson(body) : laidText(body);
}

function laidText(body: string): Laid {
  const rows: Row[] = [];
  let at = 0;
  const lines = body.split("\n");
  for (const [line, text] of lines.entries()) {
    for (const column of breaks(text, false)) {
      rows.push({
        line,
        column: column[0],
        text: text.slice(...column),
        at: at + column[0],
        field: null,
        element: null,
      });
    }
    at += text.length + 1;
  }
  return { rows, lines: lines.length, json: false };
}

/** Where a line is broken: after each `\n` of a JSON text, and where it is too long. */
function breaks(text: string, escapes: boolean): [number, number][] {
  const all: [number, number][] = [];
  let from = 0;
  while (text.length - from > 0 || all.length === 0) {
    let to = text.length;
    if (escapes) {
      const found = newline(text, from);
      if (found >= 0 && found < text.length - 2) to = found;
    }
    to = Math.min(to, from + LONGEST);
    // Never inside a pair that is one letter.
    const code = text.charCodeAt(to - 1);
    if (to < text.length && code >= 0xd800 && code < 0xdc00) to--;
    all.push([from, to]);
    from = to;
  }
  return all;
}

/** The end of the next escaped line break; -1 if there is none. */
function newline(text: string, from: number): number {
  for (let at = text.indexOf("\\", from); at >= 0; at = text.indexOf("\\", at + 2)) {
    if (text[at + 1] === "n") return at + 2;
  }
  return -1;
}

function laidJson(body: string): Laid {
  const rows: Row[] = [];
  const open: string[] = [];
  // `added` are spaces that are not in the body.
  let [line, start, text, added] = [0, 0, "", 0];
  let [field, element] = [null as string | null, null as number | null];
  const end = () => {
    const lead = text.length - text.trimStart().length;
    for (const [from, to] of breaks(text, true)) {
      const at = start + Math.max(0, from - lead - (from > 0 ? added : 0));
      rows.push({ line, column: from, text: text.slice(from, to), at, field, element });
    }
    line++;
    text = "";
  };
  const begin = (at: number) => {
    start = at;
    added = 0;
    text = " ".repeat(open.length * INDENT);
  };
  for (let at = 0; at < body.length; at++) {
    const sign = body[at]!;
    if (sign === '"') {
      const close = closing(body, at);
      const token = body.slice(at, close + 1);
      if (open.length === 1 && open[0] === "{" && text.trim() === "") {
        [field, element] = [token.slice(1, -1), null];
      } else if (open.length === 2 && open[1] === "[" && text.trim() === "") element = (element ?? -1) + 1;
      text += token;
      at = close;
    } else if (sign === "{" || sign === "[") {
      if (open.length === 2 && open[1] === "[" && text.trim() === "") element = (element ?? -1) + 1;
      text += sign;
      const next = skipped(body, at + 1);
      if (body[next] === "}" || body[next] === "]") {
        text += body[next];
        at = next;
        continue;
      }
      end();
      open.push(sign);
      begin(at + 1);
    } else if (sign === "}" || sign === "]") {
      end();
      open.pop();
      if (open.length === 1) element = null;
      begin(at);
      text += sign;
      if (open.length === 0) field = null;
    } else if (sign === ",") {
      text += sign;
      end();
      begin(at + 1);
    } else if (sign === ":") {
      text += ": ";
      added++;
    } else if (sign > " ") text += sign;
  }
  end();
  return { rows, lines: line, json: true };
}

function skipped(body: string, from: number): number {
  let at = from;
  while (at < body.length && body[at]! <= " ") at++;
  return at;
}

/** The quote that ends a text. */
function closing(body: string, from: number): number {
  for (let at = from + 1; at < body.length; at++) {
    if (body[at] === "\\") at++;
    else if (body[at] === '"') return at;
  }
  return body.length - 1;
}

/** The body laid out, as text. */
export function laidOut({ rows }: Laid): string {
  return rows.map((row, at) => (at > 0 && row.column === 0 ? `\n${row.text}` : row.text)).join("");
}

/** The character at which a byte of UTF-8 stands. */
export function charOf(body: string, byte: number): number {
  let [bytes, at] = [0, 0];
  for (const letter of body) {
    if (bytes >= byte) return at;
    const code = letter.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += letter.length;
  }
  return at;
}

/** The row in which a character of the body stands. */
export function rowAt(rows: Row[], char: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows[middle]!.at <= char) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface Match {
  row: number;
  from: number;
  to: number;
}

const MOST_MATCHES = 5_000;

/** Where a text stands in the rows, whatever its case. A hit that goes on in the next row is told of where it begins. */
export function matches(rows: Row[], wanted: string): Match[] {
  const needle = wanted.toLowerCase();
  if (!needle) return [];
  const all: Match[] = [];
  for (let row = 0; row < rows.length && all.length < MOST_MATCHES; row++) {
    const text = rows[row]!.text;
    const next = rows[row + 1];
    const tail = next?.line === rows[row]!.line ? next.text.slice(0, needle.length - 1) : "";
    const held = (text + tail).toLowerCase();
    for (let at = held.indexOf(needle); at >= 0 && at < text.length; at = held.indexOf(needle, at + needle.length)) {
      all.push({ row, from: at, to: Math.min(text.length, at + needle.length) });
    }
  }
  return all;
}
