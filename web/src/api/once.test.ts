import { expect, test } from "vitest";
import { onceKey } from "./once";

test("the same is one, something else is another, and any letters are fit for a header", () => {
  const body = { name: "夜市 <b> Größe", members: [] };
  expect(onceKey("k", body)).toBe(onceKey("k", { ...body }));
  expect(onceKey("k", body)).not.toBe(onceKey("k", { ...body, name: "x" }));
  expect(onceKey("k", body)).toMatch(/^k-[0-9a-f]+$/);
});
