/** A chat with branches: edit, retry, turn between versions, stop, summarise and undo; nothing is ever lost. */
import type { Page } from "@playwright/test";
import { expect, lastOf, test } from "./house";

const field = (page: Page) => page.getByRole("form", { name: "Say something" }).getByRole("textbox");
const log = (page: Page) => page.getByRole("log");

async function say(page: Page, text: string) {
  await field(page).fill(text);
  await field(page).press("Enter");
}

test("edit and retry make siblings, and ‹ 2/3 › turns between them", async ({ page, picture }) => {
  await page.goto("/s/demo-chat");
  await say(page, "Which tree?\n!say An oak.");
  await expect(lastOf(page, "Guide")).toContainText("An oak.");
  const reply = log(page).getByRole("article").last();
  await reply.hover();
  await reply.getByRole("button", { name: /Retry/ }).click();
  await expect(log(page).getByLabel("version 2 of 2").last()).toBeVisible();
  await log(page).getByRole("article").last().hover();
  await log(page)
    .getByRole("button", { name: /Version before/ })
    .last()
    .click();
  await expect(log(page).getByLabel("version 1 of 2").last()).toBeVisible();
  await picture("chat-branches");
});

test("a reply that streams can be stopped, and what came is kept", async ({ page }) => {
  await page.goto("/s/demo-chat");
  await say(
    page,
    "!stream 5\n!say alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi",
  );
  await expect(lastOf(page, "Guide")).toContainText("alpha beta");
  await page.getByRole("button", { name: /Stop/ }).first().click();
  await expect(log(page)).toContainText("Stopped. What came is kept.");
  await expect(log(page).getByRole("article").last()).not.toContainText("omicron");
});

test("a summary is read, compared, undone and used again", async ({ page, picture }) => {
  await page.goto("/s/demo-chat");
  const summary = page.getByRole("region", { name: "Conversation Summary" }).first();
  await summary.scrollIntoViewIfNeeded();
  await summary.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("dialog")).toContainText("And when a conversation gets long?");
  await page.keyboard.press("Escape");
  await summary.getByRole("button", { name: "Undo" }).click();
  await expect(summary).toContainText("what it stood for is sent again");
  await summary.getByRole("button", { name: "Use it again" }).click();
  await expect(summary).not.toContainText("what it stood for is sent again");
  await picture("chat-summary");
});

test("what is typed is never lost: not by a reload, not by a server that is away", async ({ page, house }) => {
  await page.goto("/s/demo-chat");
  await field(page).fill("Half a thought");
  await page.waitForTimeout(600);
  await page.reload();
  await expect(field(page)).toHaveValue("Half a thought");
  await house.kill();
  await say(page, "Said while it was away\n!say Heard after all.");
  const again = log(page).getByRole("button", { name: "Send again" });
  await expect(again).toBeVisible();
  await house.start();
  await again.click();
  await expect(lastOf(page, "Guide")).toContainText("Heard after all.", { timeout: 30_000 });
});

test("a new chat is made, answered and named", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "New space" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Oaks");
  await dialog.getByRole("button", { name: "Make it" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Oaks" })).toBeVisible();
  await say(page, "!say Here I am.");
  await expect(lastOf(page, "Assistant")).toContainText("Here I am.");
});

test("a conversation begins afresh, and sampling stands beside the model", async ({ page, house, picture }) => {
  await page.goto("/s/demo-chat");
  const sampler = page.getByTitle("Model and sampling");
  await sampler.click();
  const dialog = page.getByRole("dialog", { name: "Model and sampling" });
  await dialog.getByRole("spinbutton", { name: /Temperature/ }).fill("0.3");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(sampler).toContainText("t 0.3");
  await page.getByRole("button", { name: /Begin afresh/ }).click();
  await expect(page.getByText("The conversation begins afresh with this message")).toBeVisible();
  await say(page, "Another subject: lamps.\n!say Lamps, then.");
  await expect(lastOf(page, "Guide")).toContainText("Lamps, then.");
  await picture("chat-afresh");
  const api = await house.as(page.context());
  const next = await (await api.post("/api/spaces/demo-chat/assemble", { data: {} })).json();
  const sent = JSON.parse(next.request);
  expect(sent.temperature).toBe(0.3);
  const said = sent.messages.filter((one: { role: string }) => one.role === "user");
  expect(said).toHaveLength(1);
  expect(JSON.stringify(said)).toContain("Another subject: lamps.");
});
