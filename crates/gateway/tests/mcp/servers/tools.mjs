// The tools of the TypeScript servers, without their SDKs.

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// The packages are where scripts/mcp-servers.sh put them, not beside this file.
const require = createRequire(`${process.env.MCP_PACKAGES}/package.json`);
export const load = (name) => import(pathToFileURL(require.resolve(name)));

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PAGE = 3;
const text = (text) => ({ type: "text", text });
const said = (words) => ({ content: [text(words)] });
const note = (file) => file && appendFileSync(file, "x\n");
const object = (properties = {}, required = []) => ({ type: "object", properties, required });
const number = { type: "number" };
const string = { type: "string" };

let inside = 0;
let arrive;
const allInside = new Promise((resolve) => (arrive = resolve));

const tools = {
  echo: [object({ text: string, number }), ({ text, number }) => said(number === undefined ? text : `${text} ${number}`)],
  slow: [object({ seconds: number, steps: number }, ["seconds"]), async ({ seconds, steps = 2 }, { tell }) => {
    for (let step = 1; step <= steps; step++) {
      await tell({ progress: step, total: steps, message: `step ${step}` });
      await sleep((seconds * 1000) / steps);
    }
    return said("slept");
  }],
  fail: [object(), () => ({ ...said("it broke"), isError: true })],
  crash: [object({ file: string }), ({ file }) => {
    note(file);
    process.stderr.write("about to crash\n", () => process.exit(3));
    return new Promise(() => {});
  }],
  big: [object({ bytes: number }, ["bytes"]), ({ bytes }) => said("0123456\n".repeat(bytes / 8 + 1).slice(0, bytes))],
  picture: [object(), () => ({ content: [text("before"), { type: "image", data: PNG, mimeType: "image/png" }, text("after")] })],
  structured: [object(), () => ({ content: [], structuredContent: { answer: 42 } })],
  counter: [object({ file: string }, ["file"]), ({ file }) => (note(file), said("counted"))],
  env: [object(), () => said(JSON.stringify(Object.keys(process.env).sort()))],
  spawn: [object(), () => said(String(spawn("sleep", ["600"], { stdio: "ignore" }).pid))],
  meet: [object({ parties: number, after: number }, ["parties"]), async ({ parties, after = 0 }) => {
    if (++inside === parties) arrive();
    await allInside;
    await sleep(after * 1000);
    return said(String(after));
  }],
  change: [object(), async (_, { changed }) => {
    descriptions.echo = "Says what it is told, and tells it to others.";
    await changed();
    return said("changed");
  }],
};
const descriptions = Object.fromEntries(Object.keys(tools).map((name) => [name, `The tool ${name}.`]));
const annotations = { echo: { readOnlyHint: true } };

// One page of the list.
export function list(cursor = "0") {
  const [start, end] = [Number(cursor), Number(cursor) + PAGE];
  const page = Object.keys(tools).slice(start, end).map((name) => {
    return { name, description: descriptions[name], inputSchema: tools[name][0], annotations: annotations[name] };
  });
  return { tools: page, ...(end < Object.keys(tools).length && { nextCursor: String(end) }) };
}

// Runs a tool; `tell` sends its progress, `changed` says that the list changed.
export const call = (params, hooks) => tools[params.name][1](params.arguments ?? {}, hooks);

// Listens and prints the port.
export const listen = (http) => http.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => console.log(http.address().port));
