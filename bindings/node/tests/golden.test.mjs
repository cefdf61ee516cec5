// The golden cases of the engine, byte for byte, and every recorded stream.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { History, StreamDecoder, WeftworkError } from 'weftwork'

const root = process.env.WEFT_ROOT
const read = (name) => readFileSync(`${root}/${name}`)

test('every case gives the same bytes as in Rust', () => {
  const histories = new Map()
  for (const { file, to, options, ...expected } of JSON.parse(read('crates/engine/tests/golden/cases.json'))) {
    if (!histories.has(file)) histories.set(file, History.readSync(read(file)))
    let got
    try {
      const assembly = histories.get(file).assembleSync(to, options)
      got = { hash: 'sha256:' + createHash('sha256').update(assembly.bytes).digest('hex') }
      assert.equal(assembly.report.hash, got.hash)
    } catch (error) {
      if (!(error instanceof WeftworkError)) throw error
      got = { error: error.message }
    }
    assert.deepEqual(got, expected, `${file} ${to} ${JSON.stringify(options)}`)
  }
})

test('every stream gives the same reply as in Rust', () => {
  for (const [name, { dialect, reply }] of Object.entries(JSON.parse(read('bindings/core/tests/replies.json')))) {
    const stream = new StreamDecoder(dialect)
    const data = read(`crates/engine/tests/fixtures/streams/${name}`)
    try {
      for (let at = 0; at < data.length; at += 13) stream.push(data.subarray(at, at + 13))
      assert.deepEqual(stream.finish(), reply, name)
    } catch (error) {
      if (!(error instanceof WeftworkError)) throw error
      assert.equal(error.name, reply.error, name)
    }
  }
})
