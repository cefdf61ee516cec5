/** The other places: runs, agents, plans, usage, search, import, settings. */
import { writeFileSync } from "node:fs";
import { expect, test } from "./house";

test("a self-hoster drops an export on the page and sees what was kept, then finds it", async ({
  page,
  picture,
}, info) => {
  await page.goto("/import");
  const file = info.outputPath("conversations.json");
  const chat = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Where do hedgehogs sleep?" },
    { role: "assistant", content: "Under leaves, in a nest called a hibernaculum." },
  ];
  writeFileSync(file, JSON.stringify(chat));
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.getByRole("list", { name: "Files" })).toContainText(/openai/i);
  await picture("import-looked");
  await page.getByRole("button", { name: /Take in 1 conversation/ }).click();
  await expect(page.getByRole("list", { name: "Files" })).toContainText("3 messages came in");
  await picture("import-done");
  await page.goto("/search?q=hibernaculum");
  const hit = page
    .getByRole("main")
    .getByRole("link", { name: /hibernaculum/ })
    .first();
  await expect(hit).toBeVisible();
  await picture("search");
  await hit.click();
  await expect(page.getByText("a nest called a").first()).toBeVisible();
});

test("runs are on a board, and each has a tale", async ({ page, picture }) => {
  await page.goto("/runs");
  const waiting = page.getByRole("main").getByRole("region", { name: "Waiting", exact: true });
  await expect(waiting).toContainText("Waits for anyone");
  await expect(waiting).toContainText(/since \d\d:\d\d/);
  await expect(waiting).toContainText(/woken by .+ in Night market/);
  await picture("runs");
  await page.getByRole("main").getByRole("link", { name: "Scout", exact: true }).first().click();
  await expect(page).toHaveURL(/\/runs\/.+/);
  await expect(page.getByRole("main")).toContainText(/send_message/);
  await picture("run");
});

test("an agent's prompt, goals and memories are changed and stay changed", async ({ page, picture }) => {
  await page.goto("/agents/demo-editor");
  await expect(page.getByRole("main")).toContainText("Reports that anyone can read in a minute");
  const prompt = page.getByRole("textbox", { name: /prompt|told/i }).first();
  await prompt.fill("You write short texts. Two sentences.");
  await page.getByRole("button", { name: /^Save/ }).first().click();
  await expect(page.getByRole("button", { name: /^Save/ })).toHaveCount(0);
  await page.reload();
  await expect(prompt).toHaveValue("You write short texts. Two sentences.");
  await picture("agent");
});

test("usage is told by model, with what is not known as a dash", async ({ page, picture }) => {
  await page.goto("/usage");
  await expect(page.getByRole("main")).toContainText("offline/offline");
  await expect(page.getByRole("main")).toContainText("—");
  await picture("usage");
});

test("a token is shown once and can be revoked", async ({ page, picture }) => {
  await page.goto("/settings?tab=tokens");
  await page.getByRole("region", { name: "Tokens" }).getByRole("button").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("laptop");
  await dialog.getByRole("button", { name: /Make/ }).click();
  await expect(dialog.getByRole("textbox").first()).toHaveValue(/^wft_/);
  await picture("token");
  await page.reload();
  await expect(page.getByRole("main")).toContainText("laptop");
  expect(await page.content()).not.toContain("wft_");
});

test("plans say when they fire next", async ({ page, house, picture }) => {
  await page.goto("/plans");
  const api = await house.as(page.context());
  const plan = { name: "Count the lanterns", instruction: "Count them.", cron: "0 9 * * *" };
  const made = await api.post("/api/agents/demo-keeper/plans", { data: plan });
  expect(made.ok(), await made.text()).toBe(true);
  await page.reload();
  await expect(page.getByRole("main")).toContainText("Count the lanterns");
  await expect(page.getByRole("main")).toContainText(/next .*09:00/);
  await picture("plans");
});
