/** A team's first minute: the space is there, agents answer, a colleague comes by a link, and each sees what is new to them. */
import type { Page } from "@playwright/test";
import { enter, expect, lastOf, test, watch } from "./house";

const composer = (page: Page) => page.getByRole("form", { name: "Say something" }).getByRole("textbox");
const log = (page: Page) => page.getByRole("log");

async function say(page: Page, text: string) {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

test("an agent that waits is shown as waiting everywhere, and goes on when it is answered", async ({
  page,
  picture,
}) => {
  await page.goto("/");
  const waiting = page.getByRole("navigation", { name: "Spaces and places" }).getByText("Waits for anyone");
  await expect(waiting).toBeVisible();
  await enter(page, "Night market");
  await say(page, "Blue and gold.");
  await expect(lastOf(page, "Editor")).toContainText("Thank you. The poster is written.");
  await expect(waiting).toBeHidden();
  await picture("team-resumed");
  // The page is told when a run begins to wait: nobody asks for it.
  await say(page, "@Scout one more thing.\n!wait Which river?\n!send The small one, then.");
  await expect(waiting).toBeVisible({ timeout: 5_000 });
  await say(page, "The small one.");
  await expect(waiting).toBeHidden();
});

test("the team space is there and its agents answer", async ({ page, picture }) => {
  await page.goto("/");
  await enter(page, "Night market");
  await expect(log(page)).toContainText("@Keeper remind us of the lanterns");
  await say(page, "@Scout what is the weather?\n!send Dry until ten, says the harbour.");
  await expect(lastOf(page, "Scout")).toContainText("Dry until ten, says the harbour.");
  await picture("team");
});

test("a colleague is invited by a link; unread badges and the New rule are each person's own", async ({
  page,
  house,
  browser,
}) => {
  await page.goto("/");
  await enter(page, "Night market");
  await page.getByRole("button", { name: "More of this space" }).click();
  await page.getByRole("menuitem", { name: "Invite somebody" }).click();
  await page.getByRole("dialog").getByLabel("For whom").fill("Olga");
  await page.getByRole("button", { name: "Make a link" }).click();
  const shown = page.getByRole("dialog", { name: "The link" });
  await expect(shown).toContainText("Give it to Olga. It is good once, until");
  const link = await shown.getByRole("textbox", { name: "The link" }).inputValue();
  expect(link).toContain("/join/");
  // Without encryption a page has no clipboard; it copies all the same.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await shown.getByRole("button", { name: "Copy" }).click();
  await expect(shown.getByRole("button", { name: "Copied" })).toBeVisible();
  await shown.getByRole("button", { name: "I have it" }).click();
  const other = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const their = await other.newPage();
  const faults = watch(their, house);
  await their.goto(new URL(link).pathname.replace(/^/, house.url));
  await their.getByRole("textbox").fill("Olga");
  await their.getByRole("button", { name: "Come in" }).click();
  await expect(their.getByRole("heading", { level: 1, name: "Night market" })).toBeVisible();
  // The link opens nothing a second time.
  const again = await browser.newContext();
  const late = await again.newPage();
  await late.goto(house.url + new URL(link).pathname);
  await expect(late.getByText("This link opens nothing any more")).toBeVisible();
  await again.close();
  // What one says is new to the other, and only while they are elsewhere.
  await enter(page, "Reports");
  await say(their, "Good evening from Olga.");
  await expect(log(their)).toContainText("Good evening from Olga.");
  const badge = page.getByRole("navigation").getByTitle("Night market", { exact: true }).getByText(/^\d+$/);
  await expect(badge).toBeVisible();
  await enter(page, "Night market");
  await expect(log(page).getByRole("separator", { name: /new message/ })).toBeVisible();
  await expect(log(page)).toContainText("Good evening from Olga.");
  await expect(badge).toBeHidden();
  await expect(log(their).getByRole("separator", { name: /new message/ })).toBeHidden();
  // And she sees that it was read.
  await expect(log(their)).toContainText(/seen by .*Mira/);
  expect(faults).toEqual([]);
  await other.close();
});

test("see as an agent: exactly what it would be given now", async ({ page, picture }) => {
  await page.goto("/s/demo-team?inspect=window&as=demo-scout");
  const pane = page.getByRole("complementary", { name: "Inspector" });
  await expect(pane.getByLabel("Through whose eyes")).toHaveValue("demo-scout");
  await expect(pane.getByRole("tabpanel")).toContainText(/system/i);
  await expect(
    page
      .getByRole("log")
      .getByRole("separator", { name: /Scout|new message/ })
      .first(),
  ).toBeVisible();
  await picture("see-as");
});

test("a reply quotes what it answers, a message from elsewhere says why it came, and a run can be stopped", async ({
  page,
  picture,
}) => {
  await page.goto("/");
  await enter(page, "Night market");
  // The demo's own wait takes whatever is said next.
  await say(page, "Blue and gold.");
  await expect(lastOf(page, "Editor")).toContainText("The poster is written.");
  await say(page, "@Scout wait for me.\n!wait How many boats?");
  await expect(lastOf(page, "Scout")).toContainText("How many boats?");
  const doing = page.getByRole("region", { name: "What agents are doing" });
  await expect(doing).toContainText(/Scout.*waits/i);
  const asked = log(page).getByRole("article").last();
  await asked.hover();
  await asked.getByRole("button", { name: /Reply/ }).click();
  await say(page, "Two.\n!send Two boats.");
  await expect(lastOf(page, "Scout")).toContainText("Two boats.");
  await expect(lastOf(page, "You")).toContainText("How many boats?");
  await say(page, "@Scout and the tide?\n!wait High or low?");
  await expect(doing).toContainText(/Scout.*waits/i);
  await picture("team-waits");
  await doing.getByRole("button", { name: /Stop/ }).last().click();
  await expect(doing.getByText(/Scout.*waits/i)).toBeHidden();
  await enter(page, "Reports");
  await expect(log(page)).toContainText(/sent from .*Night market.* because .+ asked/);
});
