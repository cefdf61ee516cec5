/** The inspector: for the next request and for any that was sent, what was sent, what was left out, why, and what it cost. */
import type { Page } from "@playwright/test";
import { expect, test } from "./house";

const pane = (page: Page) => page.getByRole("complementary", { name: "Inspector" });
const panel = (page: Page) => pane(page).getByRole("tabpanel");

test("six tabs tell of the next request", async ({ page, picture }) => {
  await page.goto("/s/demo-chat?inspect=window");
  await expect(panel(page)).toContainText(/system/i);
  await expect(panel(page)).toContainText(/free/i);
  await picture("inspector-window");
  await pane(page).getByRole("tab", { name: "Why" }).click();
  await expect(panel(page)).toContainText(/before the summary|summary covers/i);
  await picture("inspector-why");
  await pane(page).getByRole("tab", { name: "Wire" }).click();
  await expect(panel(page)).toContainText("You explain");
  await panel(page).getByLabel("Wire format").selectOption("anthropic");
  await expect(panel(page)).toContainText("max_tokens");
  await expect(panel(page).getByRole("button", { name: /curl/i })).toBeVisible();
  await picture("inspector-wire");
  await pane(page).getByRole("tab", { name: "Cache" }).click();
  await expect(panel(page)).toContainText(/cache/i);
  await pane(page).getByRole("tab", { name: "Cost" }).click();
  await expect(panel(page)).toContainText("—");
  await picture("inspector-cost");
});

test("what is tried flips messages at once, without a call", async ({ page, house, picture }) => {
  await page.goto("/s/demo-chat?inspect=try");
  const api = await house.as(page.context());
  const calls = async () => (await (await api.get("/api/spaces/demo-chat/calls")).json()).calls.length as number;
  const before = await calls();
  await expect(panel(page)).toContainText("Change something above");
  await panel(page).getByText("More choices").click();
  await panel(page).getByRole("spinbutton", { name: "Newest messages looked at" }).fill("1");
  await expect(panel(page)).not.toContainText("Change something above");
  await panel(page)
    .getByText(/older than the newest/i)
    .first()
    .scrollIntoViewIfNeeded();
  await picture("inspector-try");
  expect(await calls()).toBe(before);
});

test("what is tried in a team space is the agent's next run", async ({ page, house, picture }) => {
  await page.goto("/s/demo-team?inspect=try&as=demo-scout");
  const api = await house.as(page.context());
  const calls = async () => (await (await api.get("/api/spaces/demo-team/calls")).json()).calls.length as number;
  const before = await calls();
  await expect(panel(page)).toContainText("The next run of Scout");
  await panel(page).getByRole("combobox", { name: "Strategy" }).selectOption("dropOldest");
  await panel(page).getByRole("spinbutton", { name: "Context length" }).fill("3700");
  await expect(panel(page)).toContainText(/\d messages? flips?/);
  await picture("inspector-try-run");
  await panel(page).getByRole("button", { name: "Compare in full" }).click();
  await expect(pane(page).getByRole("table", { name: "Budgets side by side" })).toBeVisible();
  await page.goto("/s/demo-team?inspect=try&as=demo-scout");
  await panel(page).getByRole("button", { name: "Reset" }).click();

  // What does not fit says by how much, and the way out.
  await panel(page).getByRole("spinbutton", { name: "Context length" }).fill("1400");
  await expect(panel(page).getByRole("alert")).toContainText(/tokens too many/);
  await expect(panel(page).getByRole("alert")).toContainText(/Shorten the prompt/);
  await picture("inspector-misfit");
  await panel(page).getByRole("button", { name: "Try without tools" }).click();
  await expect(panel(page).getByRole("alert")).toBeHidden();
  await expect(panel(page)).toContainText(/fewer than now/);
  await panel(page).getByRole("button", { name: "Reset" }).click();
  expect(await calls()).toBe(before);
});

test("any message leads to the call that made it, and two calls can be compared", async ({ page, house, picture }) => {
  await page.goto("/s/demo-chat");
  const api = await house.as(page.context());
  const calls = (await (await api.get("/api/spaces/demo-chat/calls")).json()).calls as {
    id: string;
    purpose: string;
  }[];
  const replies = calls.filter((call) => call.purpose === "reply");
  await page.goto(`/s/demo-chat?inspect=wire&call=${replies[0]?.id}`);
  await expect(panel(page)).toContainText("messages");
  await page.goto(`/s/demo-chat?inspect=wire&call=${replies[0]?.id}&with=${replies[1]?.id}`);
  await expect(pane(page).getByRole("table", { name: "Budgets side by side" })).toBeVisible();
  await picture("inspector-compare");
});

test("two agents, two different windows, side by side", async ({ page, picture }) => {
  await page.goto("/s/demo-team?inspect=why&as=demo-scout&with=next:demo-editor");
  await expect(pane(page).getByRole("table", { name: "Budgets side by side" })).toBeVisible();
  await picture("inspector-two-agents");
});
