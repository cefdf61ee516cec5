import ai from './ai.js'

export const { fitMiddleware, prepareStep } = ai
