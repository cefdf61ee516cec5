/** The first start of a server that is empty: the printed link makes the owner, and the page says what to do. */
import { expect, test } from "./house";

test.use({ kind: "empty" });

test("whoever opens the link first is the owner; an empty house says what to do", async ({ page, house, picture }) => {
  await page.goto("/");
  await expect(page.getByText("You are not signed in in this browser")).toBeVisible();
  await picture("door");
  await page.goto(house.firstLink);
  await page.getByRole("textbox").fill("Olga");
  await page.getByRole("button", { name: "Come in" }).click();
  await expect(page.getByText(/Welcome, Olga/)).toBeVisible();
  await picture("empty-house");
  await page.goto("/agents");
  await picture("empty-agents");
  await page.goto("/runs");
  await picture("empty-runs");
  await page.goto(house.firstLink);
  await expect(page.getByText("This link opens nothing any more")).toBeVisible();
});
