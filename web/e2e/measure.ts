/** Not a test: numbers of this machine, printed. `make page-bench` runs it. */
import type { Page } from "@playwright/test";
import { expect, lastOf, test } from "./house";
import { bushy, long, take } from "./world";

/** Frame times while something goes on, in milliseconds. */
async function frames(page: Page, act: () => Promise<void>) {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    let last = performance.now();
    const step = (now: number) => {
      times.push(now - last);
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  await act();
  const times = (await page.evaluate("window.times")) as number[];
  const sorted = times.slice(2).sort((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `${sorted.length} frames, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(0.999)} ms`;
}

test("a space of 10,000 messages, a tree of 5,000 nodes, a reply that streams", async ({ page, house }) => {
  test.setTimeout(240_000);
  await page.goto("/");
  await expect(page.getByRole("navigation", { name: "Spaces and places" })).toBeVisible();
  const api = await house.as(page.context());
  const space = await take(api, { id: "long", name: "Ten thousand" }, long(10_000));
  const tree = await take(api, { id: "bushy", name: "Five thousand" }, bushy(5_000));
  const log = page.getByRole("log");
  const began = Date.now();
  await page.goto(`/s/${space}`);
  await expect(log).toContainText("Message 9999.");
  console.log(`open a space of 10,000 messages: ${Date.now() - began} ms, page and all`);
  await page.mouse.move(640, 400);
  const scrolled = await frames(page, async () => {
    for (let step = 0; step < 120; step++) {
      await page.mouse.wheel(0, -400);
      await page.waitForTimeout(16);
    }
  });
  console.log(`scroll it up: ${scrolled}; ${await page.locator("[data-node]").count()} messages in the document`);
  await page.goto(`/s/${tree}?map=true`);
  await expect(page.locator("canvas")).toBeVisible();
  await page.waitForTimeout(1000);
  const panned = await frames(page, async () => {
    await page.mouse.move(640, 400);
    await page.mouse.down();
    for (let step = 0; step < 120; step++)
      await page.mouse.move(640 + 250 * Math.sin(step / 8), 400 + 150 * Math.cos(step / 8));
    await page.mouse.up();
  });
  console.log(`pan a tree of 5,000 nodes: ${panned}`);
  await page.goto("/s/demo-chat");
  const field = page.getByRole("form", { name: "Say something" }).getByRole("textbox");
  await expect(field).toBeVisible();
  await page.evaluate(() => {
    const touched = { inside: 0, outside: 0 };
    Object.assign(window, { touched });
    const list = document.querySelector("[role=log]");
    if (!list) return;
    new MutationObserver((changes) => {
      for (const change of changes) {
        const node = change.target instanceof Element ? change.target : change.target.parentElement;
        const message = node?.closest("[data-node]");
        if (message) touched[message.getAttribute("aria-busy") === "true" ? "inside" : "outside"]++;
      }
    }).observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const words = Array.from({ length: 300 }, (_, at) => `word${at}`).join(" ");
  const streamed = await frames(page, async () => {
    await field.fill(`!stream 100\n!say ${words}`);
    await field.press("Enter");
    await expect(lastOf(page, "Guide")).toContainText("word299", { timeout: 20_000 });
  });
  const touched = (await page.evaluate("window.touched")) as { inside: number; outside: number };
  console.log(
    `stream a reply of 300 words: ${streamed}; ${touched.inside} changes in its message, ${touched.outside} in others`,
  );
});
