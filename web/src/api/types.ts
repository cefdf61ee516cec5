/** Short names for what the API speaks of. */
import type { Schemas } from "./client";

/** A piece of a message. (The generated type forgets the word that tells the kinds apart.) */
export type Part =
  | ({ type: "text" } & Schemas["Text"])
  | ({ type: "reasoning" } & Schemas["Reasoning"])
  | ({ type: "toolCall" } & Schemas["ToolCall"])
  | ({ type: "toolResult" } & Omit<Schemas["ToolResult"], "content"> & { content: string | Part[] })
  | ({ type: "image" } & Schemas["Image"])
  | ({ type: "file" } & Schemas["File"]);
export type Node = Schemas["Node"];
export type OnPath = Schemas["OnPath"];
export type SaidNode = Schemas["SaidNode"];
export type Glance = Schemas["Glance"];
export type Person = Schemas["Person"];
export type Space = Schemas["Space"];
export type SpaceCard = Schemas["SpaceCard"];
export type ShownSpace = Schemas["ShownSpace"];
export type Run = Schemas["Run"];
export type Agent = Schemas["Agent"];
export type Report = Schemas["Report"];
export type Item = Schemas["Item"];
export type Assembled = Schemas["Assembled"];
export type CallRecord = Schemas["CallRecord"];
export type Usage = Schemas["Usage"];
export type Settings = Schemas["Settings"];
export type Sampling = Schemas["Sampling"];
export type Figures = Schemas["ShownFigures"];
export type Me = Schemas["Me"];
export type HowBody = Schemas["HowBody"];

const NO_PARTS: Part[] = [];

/** What a node says, piece by piece. */
export const partsOf = (node: Node): Part[] => (node.parts as Part[] | undefined) ?? NO_PARTS;
