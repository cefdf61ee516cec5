// Together with the packages people use: openai, @anthropic-ai/sdk, ai.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import OpenAI from 'openai'
import * as weftwork from 'weftwork'
import { fitMiddleware, prepareStep } from 'weftwork/ai'
import { z } from 'zod'

const long = 'word '.repeat(120)
const turns = (n) => Array.from({ length: 2 * n }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `${at} ${long}` }))

// A provider on this machine: takes what clients send and holds it against the API's rules.
const bodies = []
const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks))
    const chat = request.url.endsWith('/chat/completions')
    const faults = weftwork.lint(body, chat ? 'openai' : 'anthropic').filter((finding) => finding.severity === 'error')
    bodies.push(body)
    response.writeHead(faults.length ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(faults.length ? { error: { message: JSON.stringify(faults) } } : chat ? CHAT : MESSAGE))
  })
})
const CHAT = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4o',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Fine.' } }],
}
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5',
  content: [{ type: 'text', text: 'Fine.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 2 },
}
let url

before(() => new Promise((ready) => server.listen(0, '127.0.0.1', ready)).then(() => void (url = `http://127.0.0.1:${server.address().port}`)))
after(() => void (server.closeAllConnections(), server.close()))

test('openai takes what fits, and its replies are messages', async () => {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1` })
  const messages = [{ role: 'system', content: 'Be kind.' }, ...turns(8), { role: 'user', content: 'go' }]
  const reply = await client.chat.completions.create({ model: 'gpt-4o', messages: await weftwork.fit(messages, { model: 'gpt-4o', maxInput: 900 }) })
  messages.push(reply.choices[0].message, { role: 'user', content: 'more' })
  const again = await weftwork.fit(messages, { model: 'gpt-4o', maxInput: 900 })
  assert.equal(again.at(-2), reply.choices[0].message)
  await client.chat.completions.create({ model: 'gpt-4o', messages: again })
  assert(bodies.at(-1).messages.length < messages.length)
  assert.equal(weftwork.decode(reply, 'openai').text, 'Fine.')
})

test('anthropic takes marks where they were placed', async () => {
  const client = new Anthropic({ apiKey: 'k', baseURL: url })
  const body = { model: 'claude-sonnet-5', max_tokens: 64, system: 'Be kind. '.repeat(400), messages: [...turns(8), { role: 'user', content: 'go' }] }
  const reply = await client.messages.create(await weftwork.fit(body, { maxInput: 4000, cache: 'advance' }))
  assert.deepEqual(bodies.at(-1).system.at(-1).cache_control, { type: 'ephemeral' })
  assert.equal(weftwork.decode(reply, 'anthropic').text, 'Fine.')
})

const usage = { inputTokens: { total: 5 }, outputTokens: { total: 2 } }
const answer = (content, reason) => ({ content, finishReason: { unified: reason, raw: reason }, usage, warnings: [] })

/** A model that calls a tool until it has been asked `steps` times. */
function looping(steps) {
  const prompts = []
  const model = new MockLanguageModelV3({
    provider: 'openai.chat',
    modelId: 'gpt-4o',
    doGenerate: async ({ prompt }) => {
      prompts.push(prompt)
      return prompts.length < steps
        ? answer([{ type: 'tool-call', toolCallId: `c${prompts.length}`, toolName: 'look', input: '{}' }], 'tool-calls')
        : answer([{ type: 'text', text: 'Done.' }], 'stop')
    },
  })
  return { model, prompts }
}

const look = tool({ description: 'Looks.', inputSchema: z.object({}), execute: async () => long })

test('prepareStep keeps every step of a loop of the AI SDK within its budget', async () => {
  const { model, prompts } = looping(12)
  const messages = [...turns(4), { role: 'user', content: 'go' }]
  const { text } = await generateText({ model, messages, tools: { look }, stopWhen: stepCountIs(20), prepareStep: prepareStep({ maxInput: 900 }) })
  assert.equal(text, 'Done.')
  assert.equal(prompts.length, 12)
  const last = prompts.at(-1)
  assert(last.length < 16, `${last.length} messages`)
  assert.deepEqual(weftwork.lint({ messages: last }, 'ai-sdk').filter((finding) => finding.severity === 'error'), [])
})

test('the middleware fits every prompt that reaches a model', async () => {
  const { model, prompts } = looping(1)
  const wrapped = wrapLanguageModel({ model, middleware: fitMiddleware({ maxInput: 700 }) })
  const { text } = await generateText({ model: wrapped, system: 'Be kind.', messages: [...turns(12), { role: 'user', content: 'go' }] })
  assert.equal(text, 'Done.')
  assert.equal(prompts[0][0].role, 'system')
  assert(prompts[0].length < 12)
  assert(prompts[0].slice(1).every((message) => Array.isArray(message.content)))
})
