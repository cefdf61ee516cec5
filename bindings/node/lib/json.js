// Objects as JSON text. Bytes, which messages of the AI SDK may hold, are written in base64.
'use strict'

const { InvalidMessage } = require('./errors.js')

function isBytes(value) {
  return value instanceof Uint8Array || value instanceof ArrayBuffer
}

function holdsBytes(message) {
  return Array.isArray(message?.content) && message.content.some((part) => isBytes(part?.data) || isBytes(part?.image))
}

function inBase64(key, value) {
  // A Buffer has been turned into an object of its own before it comes here.
  const original = this[key]
  return isBytes(original) ? Buffer.from(original).toString('base64') : value
}

function text(value) {
  return JSON.stringify(value) ?? 'null'
}

/** The JSON text of a list of messages; one that has none is named by its place. */
function list(messages) {
  try {
    return messages.some(holdsBytes) ? JSON.stringify(messages, inBase64) : JSON.stringify(messages)
  } catch (cause) {
    const index = messages.findIndex((message) => {
      try {
        JSON.stringify(message)
        return false
      } catch {
        return true
      }
    })
    throw new InvalidMessage(`message ${index}: ${cause.message}`, { index, path: `$[${index}]`, reason: cause.message })
  }
}

/** Text and bytes as they are; anything else as JSON. */
function bytes(source) {
  if (source instanceof Uint8Array) return Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  return Buffer.from(typeof source === 'string' ? source : text(source))
}

module.exports = { text, list, bytes }
