// Weave from any conversation exactly what a model should see.
//
// What may take long comes in two forms: a promise, whose work is done on a worker thread, and one that ends in `Sync`.
'use strict'

const native = require('./native.js')
const errors = require('./errors.js')
const json = require('./json.js')

const { typed, ...classes } = errors
const { InvalidInput } = errors

function now(work) {
  try {
    return work()
  } catch (error) {
    throw typed(error)
  }
}

function later(work) {
  try {
    return work().catch((error) => {
      throw typed(error)
    })
  } catch (error) {
    return Promise.reject(typed(error))
  }
}

/** The messages that fit: the caller's own objects where nothing was changed. */
function fitted([messages, report], own) {
  const kept = []
  const out = JSON.parse(messages).map((message) => {
    const mine = typeof message === 'number'
    kept.push(mine ? message : null)
    return mine ? own[message] : message
  })
  return told(out, { kept, report: JSON.parse(report) })
}

/** Facts beside a list or a body, which do not show when it is written as JSON. */
function told(value, facts) {
  for (const [name, fact] of Object.entries(facts)) {
    Object.defineProperty(value, name, { value: fact, enumerable: false, configurable: true })
  }
  return value
}

function body([request, report]) {
  return told(JSON.parse(request), { report: JSON.parse(report) })
}

class Assembly {
  constructor([text, report]) {
    this.text = text
    this.report = JSON.parse(report)
  }

  get bytes() {
    return Buffer.from(this.text)
  }

  get request() {
    return this.report.dialect === 'text' ? this.text : JSON.parse(this.text)
  }
}

class Converted {
  constructor([text, loss]) {
    this.text = text
    this.loss = JSON.parse(loss)
  }

  json() {
    return JSON.parse(this.text)
  }
}

function isList(source) {
  if (Array.isArray(source)) return true
  if (source === null || typeof source !== 'object') throw new InvalidInput('fit takes a list of messages or a request body')
  return false
}

function fit(messages, options = {}) {
  if (messages instanceof History) return messages.fit(options)
  return later(() => {
    const given = json.text(options)
    return isList(messages)
      ? native.fit(json.list(messages), given).then((texts) => fitted(texts, messages))
      : native.fitRequest(json.text(messages), given).then(body)
  })
}

function fitSync(messages, options = {}) {
  if (messages instanceof History) return messages.fitSync(options)
  return now(() => {
    const given = json.text(options)
    return isList(messages)
      ? fitted(native.fitSync(json.list(messages), given), messages)
      : body(native.fitRequestSync(json.text(messages), given))
  })
}

class History {
  #native
  #own = []
  // One after another, in the order in which it was asked: numbers of messages always have their objects.
  #turn = Promise.resolve()
  #adding = 0
  #facts = ['', '0']

  constructor(messages = [], options = {}) {
    this.#native = now(() => new native.NativeHistory(json.text(options)))
    if (messages.length > 0) this.#add([...messages])
  }

  static async from(messages, options = {}) {
    const history = new History([], options)
    await history.extend(messages)
    return history
  }

  static read(source, options = {}) {
    const history = new History()
    return later(() =>
      history.#native.read(json.bytes(source), json.text(options)).then((facts) => {
        history.#facts = facts
        return history
      }),
    )
  }

  static readSync(source, options = {}) {
    const history = new History()
    history.#facts = now(() => history.#native.readSync(json.bytes(source), json.text(options)))
    return history
  }

  append(...messages) {
    this.#add(messages)
  }

  #add(messages) {
    this.#settled()
    this.#facts = now(() => this.#native.appendSync(json.list(messages)))
    for (const message of messages) this.#own.push(message)
  }

  extend(messages) {
    const own = [...messages]
    const added = later(() => {
      const text = json.list(own)
      this.#adding += 1
      return this.#turn
        .then(() => this.#native.append(text))
        .then((facts) => {
          this.#facts = facts
          for (const message of own) this.#own.push(message)
        })
        .finally(() => void (this.#adding -= 1))
    })
    this.#turn = added.catch(() => {})
    return added
  }

  #inTurn(work) {
    const done = later(() => this.#turn.then(work))
    this.#turn = done.catch(() => {})
    return done
  }

  #settled() {
    if (this.#adding > 0) throw new errors.InvalidInput('messages are being added: await extend first')
  }

  summarize(text, until) {
    now(() => this.#native.summarize(text, until))
  }

  fit(options = {}) {
    const given = json.text(options)
    return this.#inTurn(() => this.#native.fit(given).then((texts) => fitted(texts, this.#own)))
  }

  fitSync(options = {}) {
    this.#settled()
    return now(() => fitted(this.#native.fitSync(json.text(options)), this.#own))
  }

  assemble(to, { each = false, ...options } = {}) {
    const given = json.text({ to, ...options })
    return this.#inTurn(() => this.#native.assemble(given, each).then((texts) => new Assembly(texts)))
  }

  assembleSync(to, { each = false, ...options } = {}) {
    this.#settled()
    return now(() => new Assembly(this.#native.assembleSync(json.text({ to, ...options }), each)))
  }

  count(options = {}) {
    const given = json.text(options)
    return this.#inTurn(() => this.#native.count(given).then(([count]) => JSON.parse(count)))
  }

  countSync(options = {}) {
    return now(() => JSON.parse(this.#native.countSync(json.text(options))[0]))
  }

  get shape() {
    return this.#facts[0] || null
  }

  get length() {
    return Number(this.#facts[1])
  }

  get messages() {
    return [...this.#own]
  }
}

async function history(source, { format, shape }) {
  if (source instanceof History) return source
  return Array.isArray(source) ? History.from(source, { shape }) : History.read(source, { format: format ?? shape })
}

function historySync(source, { format, shape }) {
  if (source instanceof History) return source
  return Array.isArray(source) ? new History(source, { shape }) : History.readSync(source, { format: format ?? shape })
}

async function assemble(source, to, { format, shape, ...options } = {}) {
  return (await history(source, { format, shape })).assemble(to, options)
}

function assembleSync(source, to, { format, shape, ...options } = {}) {
  return historySync(source, { format, shape }).assembleSync(to, options)
}

async function count(source, { format, shape, ...options } = {}) {
  if (typeof source === 'string' && format === undefined) return countSync(source, options)
  return (await history(source, { format, shape })).count(options)
}

function countSync(source, { format, shape, ...options } = {}) {
  if (typeof source === 'string' && format === undefined) {
    return now(() => JSON.parse(native.countText(source, json.text(options))[0]))
  }
  return historySync(source, { format, shape }).countSync(options)
}

function convert(source, to, options = {}) {
  return later(() => native.convert(json.bytes(source), to, json.text(options)).then((texts) => new Converted(texts)))
}

function convertSync(source, to, options = {}) {
  return now(() => new Converted(native.convertSync(json.bytes(source), to, json.text(options))))
}

function lint(request, dialect) {
  const text = typeof request === 'string' && dialect !== 'text' ? request : json.text(request)
  return now(() => JSON.parse(native.lint(text, dialect)[0]))
}

function decode(reply, dialect) {
  return now(() => JSON.parse(native.decode(json.bytes(reply), dialect)[0]))
}

class StreamDecoder {
  #native

  constructor(dialect) {
    this.#native = now(() => new native.NativeStream(dialect))
  }

  push(chunk) {
    return now(() => JSON.parse(this.#native.push(json.bytes(chunk))[0]))
  }

  soFar() {
    return now(() => JSON.parse(this.#native.soFar()[0]))
  }

  finish() {
    return now(() => JSON.parse(this.#native.finish()[0]))
  }
}

function model(name) {
  const found = native.model(name)
  return found ? JSON.parse(found) : null
}

function models() {
  return JSON.parse(native.models())
}

module.exports = {
  Assembly,
  Converted,
  History,
  StreamDecoder,
  assemble,
  assembleSync,
  convert,
  convertSync,
  count,
  countSync,
  decode,
  fit,
  fitSync,
  lint,
  model,
  models,
  ...classes,
}
