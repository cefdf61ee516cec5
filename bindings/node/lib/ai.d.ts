import type { FitOptions } from './index.js'

/** A `prepareStep` for generateText, streamText and agents: each step is sent the messages that fit. */
export function prepareStep(options?: FitOptions): (step: { messages: any[]; model?: any }) => Promise<{ messages: any[] }>

/** A middleware for wrapLanguageModel: each prompt that reaches the model fits. */
export function fitMiddleware(options?: FitOptions): {
  specificationVersion: 'v3'
  transformParams(call: { params: any; model: any; type: 'generate' | 'stream' }): Promise<any>
}
