import { expect, test } from "vitest";
import { firstLine, grouped, type Tool } from "./toolWords";

const tool = (name: string, from: Tool["from"], server?: string) => ({ name, from, server }) as Tool;

test("the house's own come first, then each server's, in the order they are sent", () => {
  const given = [
    tool("send_message", "house"),
    tool("web__get", "server", "web"),
    tool("files__read", "server", "files"),
    tool("read_result", "house"),
    tool("loom_view", "tree"),
  ];
  const names = grouped(given).map(({ name, tools }) => [name, tools.map((one) => one.name)]);
  expect(names).toEqual([
    ["Of this house", ["send_message", "read_result"]],
    ["Where it is shown a tree", ["loom_view"]],
    ["files", ["files__read"]],
    ["web", ["web__get"]],
  ]);
});

test("a description on one line", () => {
  expect(firstLine("Reads a file.\nTakes a path.")).toBe("Reads a file.");
  expect(firstLine("")).toBe("");
});
