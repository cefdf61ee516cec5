/** What holds everywhere: places survive a reload, tabs agree, a restart is survived, nothing foreign runs, it is small. */
import { enter, expect, lastOf, test } from "./house";
import { take } from "./world";

test("reload anywhere returns to the same place", async ({ page }) => {
  for (const place of [
    "/s/demo-chat?inspect=why",
    "/s/demo-chat?map=true",
    "/s/demo-loom",
    "/runs",
    "/agents/demo-scout",
    "/plans",
    "/usage",
    "/search?q=market",
    "/import",
    "/settings",
  ]) {
    await page.goto(place);
    // Of the place itself: the list at the side is the same everywhere.
    const heading = page.getByRole("main").getByRole("heading", { level: 1 });
    await expect(heading).toBeVisible();
    const [before, name] = [page.url(), (await heading.textContent()) ?? ""];
    expect(before.endsWith(place)).toBe(true);
    expect(name).not.toBe("");
    await page.reload();
    expect(page.url()).toBe(before);
    await expect(heading).toHaveText(name);
  }
});

test("two tabs agree", async ({ page, context }) => {
  await page.goto("/s/demo-reports");
  const other = await context.newPage();
  await other.goto("/s/demo-reports");
  const field = page.getByRole("form", { name: "Say something" }).getByRole("textbox");
  await field.fill("Sunday: 388 people.");
  await field.press("Enter");
  await expect(other.getByRole("log")).toContainText("Sunday: 388 people.");
});

test("a server that restarts while a reply is written is come back to", async ({ page, house }) => {
  await page.goto("/s/demo-chat");
  const field = page.getByRole("form", { name: "Say something" }).getByRole("textbox");
  await field.fill(
    "!stream 3\n!say one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
  );
  await field.press("Enter");
  await expect(lastOf(page, "Guide")).toContainText("one two");
  await house.kill();
  await expect(page.getByText(/cannot be reached/).first()).toBeVisible();
  await house.start();
  await expect(page.getByText(/cannot be reached/).first()).toBeHidden({ timeout: 20_000 });
  await field.fill("Still there?\n!say Yes, here again.");
  await field.press("Enter");
  await expect(lastOf(page, "Guide")).toContainText("Yes, here again.", { timeout: 20_000 });
});

const CORPUS = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "<svg onload=alert(1)>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "![x](https://evil.example/pixel.png)",
  "![x](javascript:alert(1))",
  "![x](//evil.example/pixel.png)",
  "![x](/\\evil.example/pixel.png)",
  "![x](/api/events)",
  '<a href="javascript:alert(1)">x</a>',
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  '<https://evil.example/a" onmouseover="alert(1)>',
  "```html\n<script>alert(1)</script>\n```",
  "<style>@import url(https://evil.example/x.css)</style>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "\u202e<b onclick=alert(1)>txt",
];

test("nothing that was written runs, and nothing foreign is fetched", async ({ page, house }) => {
  await page.goto("/");
  await enter(page, "Reports");
  const api = await house.as(page.context());
  const name = "<img src=x onerror=alert(2)>";
  const made = await api.post("/api/spaces", { data: { name, agent: { model: "offline" } } });
  const space = (await made.json()).space.id as string;
  for (const text of CORPUS) {
    const posted = await api.post(`/api/spaces/${space}/messages`, { data: { text: `${text}\n!say ${text}` } });
    expect(posted.ok()).toBe(true);
  }
  await api.post(`/api/spaces/${space}/titles`, { data: {} });
  // What a tool was asked and answered comes from elsewhere, too.
  const all = CORPUS.join("\n\n");
  const tools = await take(api, { id: "hostile", name: `"><img src=x onerror=alert(3)>` }, [
    { id: "n1", parent: null, author: "p", text: all },
    {
      id: "n2",
      parent: "n1",
      author: "a",
      parts: [{ type: "toolCall", id: "t1", name: "read_page", args: { html: all } }],
    },
    { id: "n3", parent: "n2", author: "a", parts: [{ type: "toolResult", id: "t1", content: all }] },
    { id: "n4", parent: "n3", author: "a", kind: "summary", text: all },
    { id: "n5", parent: "n4", author: "a", kind: "title", text: all },
    {
      id: "n6",
      parent: "n5",
      author: "a",
      parts: [{ type: "image", mediaType: "image/png", url: "https://evil.example/pixel.png" }],
    },
    {
      id: "n7",
      parent: "n6",
      author: "p",
      parts: [
        { type: "file", name: all.slice(0, 60), mediaType: "text/html", data: btoa("<script>alert(4)</script>") },
      ],
    },
  ]);
  for (const place of [
    `/s/${tools}`,
    `/s/${tools}?inspect=wire`,
    `/s/${tools}?map=true`,
    `/s/${space}`,
    `/s/${space}?inspect=why`,
    `/s/${space}?inspect=wire`,
    `/s/${space}?map=true`,
    "/search?q=alert",
    "/usage",
    "/agents",
  ]) {
    await page.goto(place);
    await expect(page.getByRole("heading").first()).toBeVisible();
    await page.waitForTimeout(300);
    const bad = await page.evaluate(
      () =>
        document.querySelectorAll(
          "[onerror],[onload],[onclick],[onmouseover],iframe,object,embed,[href^='javascript' i],a[href^='data:' i]:not([download])",
        ).length,
    );
    expect(bad, place).toBe(0);
    expect(
      await page.evaluate(() => [...document.images].filter((image) => !image.src.startsWith("data:")).length),
    ).toBe(0);
  }
});

test("the first load is at most 300 KB, and the tree map is not in it", async ({ page }) => {
  let bytes = 0;
  const files: string[] = [];
  page.on("response", async (response) => {
    if (!/\/assets\/|\/$/.test(new URL(response.url()).pathname)) return;
    files.push(response.url());
    const sizes = await response.request().sizes();
    bytes += sizes.responseBodySize;
  });
  await page.goto("/s/demo-team");
  await expect(page.getByRole("log")).toContainText("@Keeper remind us");
  await page.waitForTimeout(500);
  console.log(`first load: ${(bytes / 1000).toFixed(0)} kB in ${files.length} files`);
  expect(bytes).toBeLessThan(300_000);
  expect(files.some((file) => /TreeMap/.test(file))).toBe(false);
});
