// What a caller gets: shapes, handles, errors, and an event loop that is not held.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as weftwork from 'weftwork'

const long = 'word '.repeat(300)
const chat = (n) => Array.from({ length: n }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `${at} ${long}` }))

test('messages that stay are the very objects that came in', async () => {
  const messages = chat(9)
  const fitted = await weftwork.fit(messages, { model: 'gpt-4o', maxInput: 2000 })
  assert.deepEqual(fitted.kept, [0, 1, null, 5, 6, 7, 8])
  fitted.forEach((message, at) => fitted.kept[at] === null || assert.equal(message, messages[fitted.kept[at]]))
  assert.deepEqual(fitted[2], { role: 'user', content: '[… 3 messages omitted …]' })
  assert.deepEqual(Object.keys(fitted), ['0', '1', '2', '3', '4', '5', '6'])
  assert.deepEqual(weftwork.fitSync(messages, { model: 'gpt-4o', maxInput: 2000 }).kept, fitted.kept)
})

test('a request body keeps everything else', async () => {
  const body = { model: 'gpt-4o', messages: chat(9), temperature: 0.5, metadata: { a: 1 } }
  const fitted = await weftwork.fit(body, { maxInput: 2000 })
  assert.deepEqual({ ...fitted, messages: null }, { ...body, messages: null })
  assert.equal(fitted.messages.length, 7)
})

test('a handle gives what fitting anew gives, in the order in which it was asked', async () => {
  const messages = chat(31)
  const history = new weftwork.History([], { model: 'gpt-4o' })
  const asked = []
  for (const message of messages) {
    history.extend([message])
    asked.push(history.fit({ maxInput: 2000 }))
  }
  assert.throws(() => history.append(messages[0]), weftwork.InvalidInput)
  const all = await Promise.all(asked)
  const last = weftwork.fitSync(messages, { model: 'gpt-4o', maxInput: 2000 })
  assert.deepEqual(all.at(-1).kept, last.kept)
  assert(all.every((fitted, at) => fitted.at(-1) === messages[at]))
  assert.deepEqual([history.length, history.shape, history.messages], [31, 'openai', messages])
})

test('bytes in messages of the AI SDK are read', async () => {
  const part = { type: 'image', image: new Uint8Array([1, 2, 3]), mediaType: 'image/png' }
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'see' }, part] }]
  const fitted = await weftwork.fit(messages, { shape: 'ai-sdk' })
  assert.equal(fitted[0], messages[0])
})

test('it can be required', () => {
  assert.equal(createRequire(import.meta.url)('weftwork').fit, weftwork.fit)
})

async function fails(kind, call, facts = {}) {
  const error = await Promise.resolve().then(call).then(() => assert.fail('nothing was thrown'), (error) => error)
  assert(error instanceof kind && error instanceof weftwork.WeftworkError, `${error}`)
  for (const [fact, value] of Object.entries(facts)) assert.deepEqual(error[fact], value, `${error}`)
}

test('bad input names the message', async () => {
  const good = { role: 'user', content: 'a' }
  const circle = { role: 'user', content: [] }
  circle.content.push(circle)
  const cases = [
    [{ role: 'wizard', content: 'b' }, '$[1].role'],
    [{ content: 'b' }, '$[1]'],
    [null, '$[1]'],
    [undefined, '$[1]'],
    [7, '$[1]'],
    [circle, '$[1]'],
    [{ role: 'user', content: 10n }, '$[1]'],
    [{ role: 'user', content: [{ type: 'text', text: 1 }] }, '$[1].content[0].text'],
  ]
  for (const [bad, path] of cases) {
    const history = new weftwork.History([good])
    await fails(weftwork.InvalidMessage, () => weftwork.fit([good, bad, good]), { index: 1, path })
    await fails(weftwork.InvalidMessage, () => weftwork.fitSync([good, bad, good]), { index: 1, path })
    await fails(weftwork.InvalidMessage, () => history.extend([good, bad]), { index: 1, path })
    assert.equal(history.length, 1)
  }
})

test('other faults have their facts', async () => {
  const messages = chat(3)
  await fails(weftwork.DoesNotFit, () => weftwork.fit(messages, { maxInput: 100 }), { kind: 'doesNotFit' })
  await fails(weftwork.NothingToSend, () => weftwork.fit([]))
  await fails(weftwork.InvalidOption, () => weftwork.fit(messages, { maxInputs: 3 }))
  await fails(weftwork.InvalidOption, () => weftwork.assemble(messages, 'klingon'))
  await fails(weftwork.InvalidInput, () => weftwork.fit('text'))
  await fails(weftwork.InvalidInput, () => weftwork.fit(null))
  await fails(weftwork.InvalidInput, () => weftwork.History.read(Buffer.from([0xff, 0xfe])))
  await fails(weftwork.InvalidReply, () => weftwork.decode('', 'openai'))
  const busy = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }
  await fails(weftwork.ProviderError, () => weftwork.decode(busy, 'anthropic'), { kind: 'overloaded' })
})

test('the event loop is not held during long work', async () => {
  const history = await weftwork.History.from(chat(6000))
  let [ticks, done] = [0, false]
  const work = history.fit({ maxInput: 4000 }).then(() => void (done = true))
  while (!done) {
    await new Promise(setImmediate)
    ticks += 1
  }
  await work
  assert(ticks > 20, `${ticks} turns of the loop`)
})
