/** Tools: what an agent is given to do stands on its page, and an owner decides about those of servers. */
import { expect, test } from "./house";

test.use({ kind: "tools" });

test("an agent's tools are told, decided about, and held back when their description changes", async ({
  page,
  house,
  picture,
}) => {
  await page.goto("/agents/demo-scout");
  const tools = page.getByRole("region", { name: "Tools" });
  await expect(tools).toContainText("send_message");
  await expect(tools).toContainText("Says what stands on the shelf.");
  const when = (name: string) => tools.getByRole("combobox", { name: `When shelf__${name} may run` });
  await expect(when("look")).toHaveValue("ask");
  await when("rearrange").selectOption("always");
  await expect(page.getByText("shelf__rearrange: without asking, for every agent.")).toBeVisible();
  await page.reload();
  await expect(when("rearrange")).toHaveValue("always");

  // By keyboard alone: what a tool is told of opens and closes.
  await tools.locator("summary", { hasText: "shelf__look" }).press("Enter");
  await expect(tools.locator("details[open]")).toContainText("Says what stands on the shelf.");
  await tools.scrollIntoViewIfNeeded();
  await picture("agent-tools");

  const api = await house.as(page.context());
  const asked = { text: "@Scout please.\n!call shelf__rearrange {}\n!say Done." };
  expect((await api.post("/api/spaces/demo-team/messages", { data: asked })).ok()).toBe(true);
  const held = async () => {
    const told = await (await api.get("/api/agents/demo-scout/tools")).json();
    return told.tools.find((tool: { name: string }) => tool.name === "shelf__look").offered as boolean;
  };
  await expect.poll(held).toBe(false);
  await page.reload();
  await expect(tools).toContainText("tells it to others");
  await tools.getByRole("button", { name: "Trust it as it is now" }).scrollIntoViewIfNeeded();
  await picture("agent-tool-changed");
  await tools.getByRole("button", { name: "Trust it as it is now" }).click();
  await expect(tools).not.toContainText("changed");
  expect(await held()).toBe(true);
});
