/** A writer's first minute: open a loom, generate three continuations, walk the tree. */
import { expect, test } from "./house";

/** How many colours a picture has. */
function colours(canvas: HTMLCanvasElement | SVGElement | HTMLElement): number {
  if (!(canvas instanceof HTMLCanvasElement)) return 0;
  const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}

test("three ways on, one is taken, and the map shows them all", async ({ page, picture }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/s/demo-loom");
  await expect(page.getByText("The night market opens when the last ferry has left.").first()).toBeVisible();
  await page.getByRole("button", { name: "3 ways on" }).click();
  const ways = page.getByRole("listbox");
  await expect(ways.getByRole("option")).toHaveCount(3);
  await expect(ways.getByRole("option").nth(2)).toContainText("offline model");
  await picture("loom-ways");
  // The first that came is in the text; another is taken.
  const other = (await ways.getByRole("option").nth(0).textContent())?.includes("in the text") ? 1 : 0;
  await ways.getByRole("option").nth(other).click();
  await page.getByRole("button", { name: `Take number ${other + 1}` }).click();
  await expect(ways.getByRole("option").nth(other)).toContainText(/in the text/);
  await page.keyboard.press("Escape");
  await page.goto("/s/demo-loom?map=true");
  const canvas = page.locator("canvas").first();
  await expect(canvas).toBeVisible();
  await expect.poll(() => canvas.evaluate(colours)).toBeGreaterThan(4);
  await picture("loom-map");
  await page.getByRole("button", { name: "List", exact: true }).click();
  const tree = page.getByRole("tree");
  await expect(tree.getByRole("treeitem").first()).toBeVisible();
  await tree.getByRole("treeitem").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await picture("loom-list");
});

test("what is written on is kept until it is committed", async ({ page }) => {
  await page.goto("/s/demo-loom");
  const working = page.getByRole("textbox", { name: /Write on/ });
  await working.fill(" A lamp was still burning.");
  await page.waitForTimeout(600);
  await page.reload();
  await expect(working).toHaveText(/A lamp was still burning/);
  await working.press("Control+Enter");
  await expect(working).toHaveText("");
  await expect(page.getByText("A lamp was still burning.").first()).toBeVisible();
});

test("two paths stand side by side from where they part", async ({ page, house, picture }) => {
  await page.goto("/s/demo-loom");
  const api = await house.as(page.context());
  const nodes = (await (await api.get("/api/spaces/demo-loom/tree")).json()).nodes as { id: string; parent?: string }[];
  const parents = new Set(nodes.map((node) => node.parent));
  const tips = nodes.filter((node) => !parents.has(node.id));
  await page.goto(`/s/demo-loom?head=${tips[0]?.id}&beside=${tips[1]?.id}`);
  await expect(page.getByText(/in common/)).toBeVisible();
  await picture("beside");
});

test("the map marks what is bookmarked, excluded and pruned", async ({ page, house, picture }) => {
  await page.goto("/s/demo-loom?map=true");
  const api = await house.as(page.context());
  type Glance = { id: string; flags?: string[] };
  const flags = async () => {
    const { nodes } = await (await api.get("/api/spaces/demo-loom/tree")).json();
    return (nodes as Glance[]).flatMap((node) => node.flags ?? []);
  };
  await page.getByRole("button", { name: "List", exact: true }).click();
  const tree = page.getByRole("tree");
  await tree.getByRole("treeitem").first().focus();
  await page.keyboard.press("End");
  for (const [button, flag] of [
    ["★ Bookmark", "bookmarked"],
    ["◌ Exclude", "excluded"],
    ["✂ Prune", "pruned"],
  ] as const) {
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect.poll(flags).toContain(flag);
    await expect(tree.getByRole("treeitem", { selected: true })).toContainText(flag);
  }
  await picture("loom-marked");
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await expect.poll(flags).not.toContain("pruned");
});
