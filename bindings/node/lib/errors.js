// What can go wrong, as errors with the facts a program can act on.
'use strict'

class WeftworkError extends Error {
  constructor(message, facts) {
    super(message)
    this.name = this.constructor.name
    Object.assign(this, facts)
  }
}

const kinds = {}
for (const name of [
  'InvalidMessage',
  'InvalidInput',
  'InvalidOption',
  'InvalidHistory',
  'NothingToSend',
  'DoesNotFit',
  'NeedsRepair',
  'ProviderError',
  'InvalidReply',
  'InternalError',
]) {
  kinds[name] = { [name]: class extends WeftworkError {} }[name]
}

/** The typed error for what the native part threw. */
function typed(error) {
  try {
    const { name, message, facts } = JSON.parse(error.message)
    return new kinds[name](message, facts)
  } catch {
    return error
  }
}

module.exports = { WeftworkError, ...kinds, typed }
