import { expect, test } from "vitest";
import type { Agent } from "../api/types";
import { changeOf, type Draft, draftOf, faultOf, isSound, roughTokens } from "./form";

const agent: Agent = {
  id: "scout",
  name: "Scout",
  model: "offline",
  external: false,
  loomAware: false,
  loomAccess: "write",
  may: "manage",
  spaces: [],
  openRuns: 0,
  systemPrompt: "You find things out.",
  sampling: { temperature: 0.5, stop: ["END"] },
};
const changed = (change: Partial<Draft>) => changeOf(agent, { ...draftOf(agent), ...change });

test.each<[Partial<Draft>, unknown]>([
  [{}, null],
  [{ name: " Scout " }, null],
  [{ name: "Finder" }, { name: "Finder" }],
  [{ model: "" }, { model: "" }],
  [{ temperature: "" }, { sampling: { stop: ["END"] } }],
  [{ topK: "40", stop: "END\n\n---" }, { sampling: { temperature: 0.5, topK: 40, stop: ["END", "---"] } }],
  [
    { loomAware: true, loomAccess: "read" },
    { loomAware: true, loomAccess: "read" },
  ],
])("%o is sent as %o", (change, expected) => {
  expect(changed(change)).toEqual(expected);
});

test("numbers are checked before they are sent", () => {
  expect(faultOf("temperature", "warm")).toBe("A number, or nothing.");
  expect(faultOf("topK", "1.5")).toBe("A whole number, or nothing.");
  expect(faultOf("topP", " ")).toBeNull();
  expect(isSound({ ...draftOf(agent), name: " " })).toBe(false);
});

test("tokens are guessed by letters", () => {
  expect(roughTokens("")).toBe(0);
  expect(roughTokens("eight ch")).toBe(2);
  expect(roughTokens("漢字")).toBe(2);
});
