import { expect, test } from "vitest";
import { shared } from "./prefix";

test("requests part where the first byte is another", () => {
  const [before, now] = ["one", "two"].map((word) => JSON.stringify({ system: "ä", messages: [word] }));
  expect(shared(before!, now!)).toEqual({ bytes: 28, of: 34, field: "messages" });
});

test("the same request parts nowhere", () => {
  expect(shared("{}", "{}")).toEqual({ bytes: 2, of: 2, field: null });
});
