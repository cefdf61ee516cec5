// Every block of JavaScript in the cookbook and the README runs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as weftwork from 'weftwork'

const Code = Object.getPrototypeOf(async function () {}).constructor

function blocks(path) {
  const text = readFileSync(`${process.env.WEFT_ROOT}/${path}`, 'utf8')
  return [...text.matchAll(/^```js\n(.*?)^```/gms)].map((found) => ({
    heading: [...text.slice(0, found.index).matchAll(/^#+ (.+)$/gm)].at(-1)[1],
    code: found[1].replace(/^import .*\n/gm, ''),
  }))
}

test('every recipe runs', async () => {
  const [beginning, ...recipes] = blocks('docs/cookbook.md')
  assert.equal(new Set(recipes.map(({ heading }) => heading)).size, 10)
  const quiet = { log() {} }
  for (const { heading, code } of recipes) {
    const run = new Code('weftwork', 'assert', 'console', `${beginning.code}\n{\n${code}\n}`)
    await run(weftwork, assert, quiet).catch((error) => assert.fail(`${heading}: ${error.stack}`))
  }
})

test('the README runs', async () => {
  for (const { heading, code } of blocks('bindings/node/README.md')) {
    const { fit, History } = weftwork
    const run = new Code('weftwork', 'fit', 'History', 'messages', code)
    await run(weftwork, fit, History, [{ role: 'user', content: 'Hello' }]).catch((error) => assert.fail(`${heading}: ${error.stack}`))
  }
})
