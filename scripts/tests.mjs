#!/usr/bin/env node
// tests.mjs: runs every test binary of the workspace, a few at a time. Cargo runs one after another, and most of ours wait for a
// database, a server or a clock; side by side they take half the time. What passes is a line, what fails is shown whole.
import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";

const cargo = process.env.CARGO ?? "cargo";
// The long ones first, so that none is left alone at the end. Who is not named here runs all the same.
const LONG = ["suite", "runs", "mcp", "serve", "properties", "cli"];

function built() {
  const asked = ["test", "--workspace", "--lib", "--bins", "--tests", "--no-run", "--message-format=json-render-diagnostics"];
  const made = spawnSync(cargo, asked, { encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "inherit"] });
  if (made.error) console.error(`${cargo}: ${made.error.message}`);
  if (made.status !== 0) process.exit(made.status ?? 1);
  const place = ({ name }) => (LONG.includes(name) ? LONG.indexOf(name) : LONG.length);
  return made.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((said) => said.reason === "compiler-artifact" && said.profile.test && said.executable)
    .map((said) => ({ name: said.target.name, kind: said.target.kind[0], file: said.executable, home: dirname(said.manifest_path) }))
    .sort((a, b) => place(a) - place(b));
}

function run({ name, kind, file, home }) {
  return new Promise((done) => {
    const began = Date.now();
    const env = { ...process.env, CARGO_MANIFEST_DIR: home };
    going.add(name);
    const child = spawn(file, [], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
    const said = [];
    child.stdout.on("data", (piece) => said.push(piece));
    child.stderr.on("data", (piece) => said.push(piece));
    child.on("error", (fault) => said.push(Buffer.from(`${fault}\n`)));
    child.on("close", (code, signal) => {
      going.delete(name);
      const text = Buffer.concat(said).toString();
      const passed = /test result: ok\. (\d+) passed/.exec(text);
      const ok = code === 0 && passed;
      const seconds = ((Date.now() - began) / 1000).toFixed(0);
      if (!ok) console.log(`${text}\n── failed: ${name} (${kind}), ${signal ?? `exit ${code}`}`);
      else console.log(`${name} (${kind}): ${passed[1]} passed in ${seconds} s`);
      done(Boolean(ok));
    });
  });
}

const queue = built();
const all = queue.length;
// One that hangs is named before somebody loses patience with all of them.
const going = new Set();
setInterval(() => console.log(`still running: ${[...going].join(", ")}`), 120_000).unref();
const failed = [];
async function worker() {
  for (let next = queue.shift(); next; next = queue.shift()) if (!(await run(next))) failed.push(next.name);
}
await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
if (failed.length) console.log(`failed: ${failed.join(", ")}`);
else console.log(all ? `${all} test binaries passed` : "no test binary was built");
process.exit(all && !failed.length ? 0 : 1);
