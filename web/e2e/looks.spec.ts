/** Every kind of message has its look. */
import { expect, test } from "./house";
import { take } from "./world";

test("titles, summaries, their requests and accounting look like what they are", async ({ page, house, picture }) => {
  await page.goto("/");
  await expect(page.getByRole("navigation", { name: "Spaces and places" })).toBeVisible();
  const api = await house.as(page.context());
  const id = await take(api, { id: "looks", name: "All looks" }, [
    { id: "n1", parent: null, author: "p", text: "How do trees cool a yard?" },
    {
      id: "n2",
      parent: "n1",
      author: "a",
      text: "By shade and by the water they breathe out.",
      usage: { input: 120, output: 40, cacheRead: 80, cacheWrite: 0 },
      model: "openai/gpt-4o",
    },
    { id: "n3", parent: "n2", author: "p", kind: "titleRequest", text: "Give this conversation a title." },
    { id: "n4", parent: "n3", author: "a", kind: "title", text: "Trees that cool a yard" },
    { id: "n5", parent: "n4", author: "p", text: "And at night?" },
    { id: "n6", parent: "n5", author: "a", status: "error", error: "the provider went away", text: "At night they" },
    { id: "n7", parent: "n6", author: "p", text: "Off topic: a recipe?", excluded: true },
    { id: "n8", parent: "n7", author: "p", text: "Only the oaks, please.", pinned: true, bookmarked: true },
    {
      id: "n9",
      parent: "n8",
      author: "a",
      kind: "accounting",
      accounting: {
        reason: "Message edited",
        discardedMessages: 5,
        timestamp: "2026-02-18T14:50:00Z",
        cumulativeTokens: { inputTokens: 12500, outputTokens: 8300, cacheReadTokens: 5000, cacheCreationTokens: 1200 },
      },
    },
    { id: "n10", parent: "n9", author: "p", kind: "summaryRequest", text: "Sum up what was said." },
    { id: "n11", parent: "n10", author: "a", kind: "summary", text: "They talked of trees, shade and oaks." },
    { id: "n12", parent: "n11", author: "p", text: "Go on from here.", contextEdge: true },
    { id: "n13", parent: "n12", author: "a", text: "Gladly." },
  ]);
  await page.goto(`/s/${id}`);
  const log = page.getByRole("log");
  await page.setViewportSize({ width: 1280, height: 1600 });
  await expect(log).toContainText("📝");
  await expect(log).toContainText("📋");
  await expect(log).toContainText("📌 Conversation Summary (Checkpoint)");
  await expect(log).toContainText("💰");
  await expect(log).toContainText("5 messages left");
  await expect(log.getByText("Trees that cool a yard")).toHaveCSS("font-style", "italic");
  const border = (text: string) =>
    log
      .getByText(text)
      .locator("xpath=ancestor-or-self::*[contains(@class,'special')][1]")
      .evaluate((found) => getComputedStyle(found).borderInlineStartColor);
  const [blue, yellow] = [await border("Trees that cool a yard"), await border("Conversation Summary (Checkpoint)")];
  expect(blue).not.toBe(yellow);
  await expect(log).toContainText("the provider went away");
  await expect(log).toContainText("excluded");
  await expect(log).toContainText("pinned");
  await expect(log).toContainText("nothing before this is sent");
  await picture("looks");
});
