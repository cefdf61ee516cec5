// Memory does not grow with the number of calls; WEFT_CALLS says how many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as weftwork from 'weftwork'

const calls = Number(process.env.WEFT_CALLS ?? 6000)
const messages = Array.from({ length: 12 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `${at} ` + 'word '.repeat(20) }))

async function round(history) {
  await weftwork.fit(messages, { maxInput: 150 })
  weftwork.fitSync(messages, { maxInput: 150 })
  await history.fit({ maxInput: 150 })
  history.assembleSync('anthropic', { maxInput: 150 })
  weftwork.lint(messages, 'openai')
  await weftwork.fit([...messages, { role: 'x' }]).catch(() => {})
}

async function settled() {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc()
    await new Promise(setImmediate)
  }
  return process.memoryUsage.rss()
}

test('memory is flat', { timeout: 3_600_000 }, async () => {
  const history = new weftwork.History(messages)
  const rounds = Math.max(Math.floor(calls / 6), 100)
  for (let at = 0; at < rounds / 2; at++) await round(history)
  const before = await settled()
  for (let at = 0; at < rounds; at++) await round(history)
  const grown = (await settled()) - before
  console.log(`${rounds * 6} calls, ${Math.round(grown / 1024)} KiB more`)
  assert(grown < 8 << 20, `${grown} bytes`)
})
