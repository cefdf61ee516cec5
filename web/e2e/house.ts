/**
 * A server of its own for each file of tests, and pages that fail where something foreign is fetched, something breaks in the
 * page, or its rules (CSP) are broken.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Page,
  request,
} from "@playwright/test";

export { expect };

const BINARY = process.env.WEFT_BINARY ?? "../target/debug/weft";
const SCREENS = process.env.WEFT_SCREENS ?? "../target/e2e/screens";
mkdirSync(SCREENS, { recursive: true });

/** What is in a house: nothing, the demo, or the demo with a server of tools. */
type Kind = "demo" | "empty" | "tools";

const CONFIG: Record<Kind, string> = {
  demo: "",
  empty: "",
  tools: `[mcp.shelf]\ncommand = ${JSON.stringify([process.execPath, join(import.meta.dirname, "shelf.mjs")])}\n`,
};

/** A server that runs. */
export class House {
  private server: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), "weft-page-"));
  /** What it printed. */
  printed = "";

  private constructor(
    readonly kind: Kind,
    readonly port: number,
  ) {}

  static async open(kind: Kind): Promise<House> {
    const house = new House(kind, await freePort());
    await house.start();
    return house;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async start() {
    mkdirSync(join(this.folder, "weft"), { recursive: true });
    writeFileSync(join(this.folder, "weft/config.toml"), CONFIG[this.kind]);
    const args = ["serve", "--bind", `127.0.0.1:${this.port}`, ...(this.kind === "empty" ? [] : ["--demo"])];
    const env = { PATH: process.env.PATH, HOME: this.folder, XDG_DATA_HOME: this.folder, XDG_CONFIG_HOME: this.folder };
    const server = spawn(BINARY, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    this.server = server;
    await new Promise<void>((ready, failed) => {
      const hear = (bytes: Buffer) => {
        this.printed += bytes.toString();
        if (/open http|opens this link first/.test(this.printed)) ready();
      };
      server.stdout.on("data", hear);
      server.stderr.on("data", hear);
      server.on("exit", (code) => failed(new Error(`weft ended with ${code}: ${this.printed}`)));
    });
  }

  /** Ends it at once, as a crash would. */
  async kill() {
    const server = this.server;
    if (!server) return;
    this.server = null;
    server.removeAllListeners("exit");
    const gone = new Promise((done) => server.on("exit", done));
    server.kill("SIGKILL");
    await gone;
  }

  async close() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The link that makes the first owner. */
  get firstLink(): string {
    return /http:\/\/\S+\/join\/\S+/.exec(this.printed)?.[0] ?? "";
  }

  /** The API, as somebody who is signed in in this browser. */
  async as(context: BrowserContext): Promise<APIRequestContext> {
    // The page signs in by itself; that takes a moment.
    await expect
      .poll(async () => (await context.cookies()).some((cookie) => cookie.name === "weft_session"))
      .toBe(true);
    return request.newContext({
      baseURL: this.url,
      extraHTTPHeaders: { origin: this.url },
      storageState: await context.storageState(),
    });
  }
}

async function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Makes a page fail the test where it does what it must not. */
export function watch(page: Page, house: House): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`broke: ${error.message}`));
  page.on("dialog", (dialog) => {
    // Leaving with something unsaved is asked by the browser; nothing else ever opens one.
    if (dialog.type() !== "beforeunload") faults.push(`a dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  page.on("console", (message) => {
    if (/content security policy|violates/i.test(message.text())) faults.push(`rules broken: ${message.text()}`);
  });
  page.on("request", (asked) => {
    const address = asked.url();
    if (!address.startsWith(house.url) && !/^(data|blob|about):/.test(address)) faults.push(`foreign: ${address}`);
  });
  return faults;
}

interface Fixtures {
  /** Keeps a picture of the page under a name. */
  picture: (name: string) => Promise<void>;
}

export const test = base.extend<Fixtures, { house: House; kind: Kind }>({
  kind: ["demo", { option: true, scope: "worker" }],
  house: [
    async ({ kind }, use) => {
      const house = await House.open(kind);
      await use(house);
      await house.close();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ house }, use) => use(house.url),
  page: async ({ page, house }, use) => {
    const faults = watch(page, house);
    await use(page);
    expect(faults).toEqual([]);
  },
  picture: async ({ page }, use) => {
    await use(async (name) => {
      await page.screenshot({ path: join(SCREENS, `${name}.png`) });
    });
  },
});

/** Goes to a space by its name in the list. */
export async function enter(page: Page, name: string) {
  await page.getByRole("navigation", { name: "Spaces and places" }).getByTitle(name, { exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

/** What somebody said last. The words that make the offline model say something stand in the question, too: so look at who says it. */
export function lastOf(page: Page, author: string) {
  return page
    .getByRole("log")
    .getByRole("article", { name: new RegExp(`^${author}`) })
    .last();
}
