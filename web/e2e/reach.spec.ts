/** Everybody reaches everything: by keyboard, on a narrow screen, in light and dark, with a screen reader. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { expect, lastOf, test } from "./house";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const PLACES = [
  "/s/demo-team",
  "/s/demo-chat",
  "/s/demo-chat?inspect=window",
  "/s/demo-chat?inspect=why",
  "/s/demo-chat?inspect=wire",
  "/s/demo-chat?inspect=cache",
  "/s/demo-chat?inspect=cost",
  "/s/demo-chat?inspect=try",
  "/s/demo-chat?map=true",
  "/s/demo-loom",
  "/runs",
  "/agents",
  "/agents/demo-editor",
  "/plans",
  "/usage",
  "/search?q=market",
  "/import",
  "/settings",
  "/settings?tab=tokens",
  "/settings?tab=people",
  "/settings?tab=providers",
];

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe finds that is serious. It is put in through the debugger, which the page's rules do not bind. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((r) => r.violations)",
  )) as Finding[];
  return found
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .flatMap((one) =>
      one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`),
    );
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious (${colorScheme})`, async ({ page, picture }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const all: string[] = [];
    for (const place of PLACES) {
      await page.goto(place);
      await expect(page.getByRole("heading").first()).toBeVisible();
      await page.waitForTimeout(400);
      for (const one of await findings(page)) all.push(`${place} ${one}`);
      await picture(`${colorScheme}${place.replaceAll(/[^a-z]+/g, "-")}`);
    }
    expect(all).toEqual([]);
  });
}

test("a narrow screen shows everything, one pane at a time", async ({ page, picture }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const place of PLACES) {
    await page.goto(place);
    await expect(page.getByRole("main")).toBeVisible();
    await page.waitForTimeout(300);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, `${place} is wider than the screen`).toBeLessThanOrEqual(390);
    await picture(`narrow${place.replaceAll(/[^a-z]+/g, "-")}`);
  }
  await page.goto("/s/demo-team");
  await page.getByRole("button", { name: "Spaces" }).click();
  await page.getByRole("link", { name: /Reports/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Reports" })).toBeVisible();
});

test("keyboard alone: go to a chat, say something, edit it, turn between versions, inspect, come back", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("branches");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "How a conversation branches" })).toBeVisible();
  const field = page.getByRole("form", { name: "Say something" }).getByRole("textbox");
  await expect(field).toBeFocused();
  await page.keyboard.type("First words");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("!say First reply");
  await page.keyboard.press("Enter");
  const log = page.getByRole("log");
  await expect(lastOf(page, "Guide")).toContainText("First reply");
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await page.keyboard.press("e");
  const edit = log.getByRole("textbox");
  await expect(edit).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Other words\n!say Other reply");
  await page.keyboard.press("Control+Enter");
  await expect(lastOf(page, "Guide")).toContainText("Other reply");
  await expect(log).not.toContainText("First reply");
  // Where the edited message stood is another now; the focus is in the list or in the field.
  await page.waitForTimeout(500);
  if (await field.evaluate((element) => element === document.activeElement)) await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await page.keyboard.press("[");
  await expect(lastOf(page, "Guide")).toContainText("First reply");
  await page.keyboard.press("i");
  await expect(page.getByRole("complementary", { name: "Inspector" })).toBeVisible();
  await page.keyboard.press("i");
  await expect(page.getByRole("complementary", { name: "Inspector" })).toBeHidden();
  await page.keyboard.press("m");
  await expect(page).toHaveURL(/map=true/);
});
