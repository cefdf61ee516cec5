// The native part for this platform.
'use strict'

const name = `weftwork.${process.platform}-${process.arch}.node`
try {
  module.exports = require(`./${name}`)
} catch (cause) {
  throw new Error(`weftwork has no native part for ${process.platform} on ${process.arch} here (${name}): build it with make dist`, {
    cause,
  })
}
