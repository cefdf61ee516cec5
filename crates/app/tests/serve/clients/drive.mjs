// The official TypeScript clients against a server. Any surprise is an exception.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const { WEFT_URL: url, WEFT_TOKEN: token } = process.env;
const oai = new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 });
const claude = new Anthropic({ baseURL: url, apiKey: token, maxRetries: 0 });
const schema = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
const call = '!say Let me look.\n!call search {"query": "bees"}\n!say Found: bees.';
const user = (content) => [{ role: "user", content }];

// Chat Completions: plain, streamed, tools.
const plain = await oai.chat.completions.create({ model: "offline", messages: user("!say hello") });
assert.equal(plain.choices[0].message.content, "hello");
let text = "";
for await (const chunk of await oai.chat.completions.create({ model: "offline", messages: user("!say one two"), stream: true })) {
  text += chunk.choices[0]?.delta?.content ?? "";
}
assert.equal(text, "one two");
const tools = [{ type: "function", function: { name: "search", parameters: schema } }];
const called = await oai.chat.completions.create({ model: "offline", messages: user(call), tools });
assert.deepEqual(JSON.parse(called.choices[0].message.tool_calls[0].function.arguments), { query: "bees" });
const runner = oai.chat.completions.stream({ model: "offline", messages: user(call), tools });
const whole = await runner.finalChatCompletion();
assert.deepEqual(JSON.parse(whole.choices[0].message.tool_calls[0].function.arguments), { query: "bees" });

// Responses.
const response = await oai.responses.create({ model: "offline", input: "!say hello" });
assert.equal(response.output_text, "hello");
const kinds = [];
for await (const event of await oai.responses.create({ model: "offline", input: "!say one two", stream: true })) kinds.push(event.type);
assert.equal(kinds[0], "response.created");
assert.equal(kinds.at(-1), "response.completed");

// Messages.
const message = await claude.messages.create({ model: "offline", max_tokens: 100, messages: user("!say hello") });
assert.equal(message.content[0].text, "hello");
const stream = claude.messages.stream({ model: "offline", max_tokens: 100, messages: user("!say one two") });
assert.equal(await stream.finalText(), "one two");
const used = await claude.messages.create({
  model: "offline",
  max_tokens: 100,
  messages: user(call),
  tools: [{ name: "search", input_schema: schema }],
});
assert.deepEqual(used.content.find((block) => block.type === "tool_use").input, { query: "bees" });
const counted = await claude.messages.countTokens({ model: "offline", messages: user("four words in all") });
assert.ok(counted.input_tokens > 3);

// Errors.
await assert.rejects(oai.chat.completions.create({ model: "nobody", messages: user("x") }), OpenAI.NotFoundError);
await assert.rejects(claude.messages.create({ model: "nobody", max_tokens: 1, messages: user("x") }), Anthropic.NotFoundError);
await assert.rejects(oai.chat.completions.create({ model: "offline", messages: user("!fail 429") }), OpenAI.RateLimitError);
await assert.rejects(
  claude.messages.create({ model: "offline", max_tokens: 9, messages: user("!fail 429") }),
  Anthropic.RateLimitError,
);

// Cancellation.
const slow = await oai.chat.completions.create({
  model: "offline",
  messages: user(`!stream 5\n!say ${"word ".repeat(500)}`),
  stream: true,
});
for await (const _ of slow) break;
slow.controller.abort();
const ids = [];
for await (const model of oai.models.list()) ids.push(model.id);
assert.ok(ids.includes("offline/offline"));
