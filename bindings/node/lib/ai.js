// For the AI SDK: every step of a loop, or every call of a model, fits. The package `ai` itself is not needed here.
'use strict'

const { fit } = require('./index.js')

/** A `prepareStep` for generateText, streamText and agents: each step is sent the messages that fit. */
function prepareStep(options = {}) {
  return async ({ messages, model }) => {
    const name = options.model ?? nameOf(model)
    return { messages: [...(await fit(messages, { ...options, model: name, shape: 'ai-sdk' }))] }
  }
}

/** A middleware for wrapLanguageModel: each prompt that reaches the model fits. */
function fitMiddleware(options = {}) {
  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      const name = options.model ?? nameOf(model)
      const tools = options.tools ?? (params.tools ?? []).filter((tool) => tool.type === 'function')
      const fitted = await fit(params.prompt, { ...options, model: name, tools, shape: 'ai-sdk' })
      return { ...params, prompt: fitted.map((message, at) => (fitted.kept[at] === null ? inParts(message) : message)) }
    },
  }
}

/** What a model is called: `provider/model`, or undefined where nobody knows it. */
function nameOf(model) {
  if (typeof model === 'string') return model
  return model?.modelId ? `${String(model.provider ?? '').split('.')[0]}/${model.modelId}` : undefined
}

/** The prompt of a model has parts where messages may have a string. */
function inParts(message) {
  if (message.role === 'system' || typeof message.content !== 'string') return message
  return { ...message, content: [{ type: 'text', text: message.content }] }
}

module.exports = { fitMiddleware, prepareStep }
