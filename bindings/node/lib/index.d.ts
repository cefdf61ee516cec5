export type Shape = 'openai' | 'responses' | 'anthropic' | 'ai-sdk'
export type Dialect = 'openai' | 'responses' | 'anthropic' | 'gemini' | 'ollama' | 'completions' | 'ai-sdk' | 'text' | 'messages'
export type FileFormat = 'weft' | 'weft-jsonl' | 'openai-jsonl' | 'markdown'

export interface Policy {
  /** The model, by name: its window, vocabulary and cache rules. */
  model?: string
  /** Tokens that system text, tools and messages may have together. */
  maxInput?: number
  contextLength?: number
  maxTokens?: number
  preset?: 'weft' | 'deepchat' | 'hsafa' | 'superdesign' | 'netdata' | 'aspen'
  strategy?: 'truncateMiddle' | 'rollingWindow' | 'stopAtLimit' | 'dropOldest' | 'stickyWindow'
  unit?: 'turn' | 'message'
  minRecent?: number
  lowWater?: number
  window?: number
  counter?: 'auto' | 'o200k' | 'cl100k' | 'chars4' | 'tokenx'
  reasoning?: 'keep' | 'concat' | 'drop'
  toolPolicy?: 'auto' | 'cached' | 'all-on' | 'all-off' | 'manual'
  summary?: 'system' | 'message'
  cache?: 'off' | 'advance' | 'freeze'
  marker?: boolean
  merge?: boolean
  strict?: boolean
  /** System text that is no message: counted, and sent by assemble. */
  system?: string
  tools?: readonly object[]
  input?: string
}

export interface FitOptions extends Policy {
  /** Whose messages these are, where they do not tell it themselves. */
  shape?: Shape
}

export interface AskOptions extends Policy {
  form?: 'dialogue' | 'buffer' | 'timeline'
  errors?: 'exclude' | 'note'
  annotations?: boolean
  layout?: 'seed' | 'cacheStable'
  history?: 'system' | 'messages'
  sampling?: { temperature?: number; topP?: number; topK?: number; stop?: string[]; seed?: number }
  head?: string
  viewer?: string
  inputNode?: string
  buffer?: string
  previous?: string
  now?: string
  /** Every node on its own in the report. */
  each?: boolean
}

export interface SourceOptions {
  format?: string
  shape?: Shape
}

export interface Budget {
  contextLength: number
  reserve: number
  system: number
  tools: number
  input: number
  markers: number
  available: number
  history: number
}

export interface Item {
  decision: 'included' | 'dropped' | 'shortened' | 'repaired'
  reason: string
  tokens: number
  node?: string
  from?: string
  to?: string
  nodes?: number
  message?: number
  /** The first and the last message of the caller's that this is about. */
  first?: number
  last?: number
}

export interface Report {
  form: string
  dialect: Dialect
  strategy: string
  truncated: boolean
  counter: { name: string; kind: 'estimated' | 'counted' | 'reported' }
  budget: Budget
  items: Item[]
  repairs: { node?: string; kind: string; detail: string }[]
  cut?: { after?: string; before?: string; nodes: number; tokens: number }
  cache: { marks: string[]; firstChange?: { section: string; byte: number }; predictedRead?: number; predictedWrite?: number }
  warnings: { kind: string; detail: string }[]
  hash: string
}

export interface Finding {
  path: string
  rule: string
  severity: 'error' | 'warning'
  message: string
  fix: string
}

export interface Count {
  counter: string
  kind: 'estimated' | 'counted' | 'reported'
  messages: { node: string; tokens: number }[]
  total: number
}

export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

export interface Reply {
  text: string
  parts: Record<string, unknown>[]
  calls: { id: string; name: string; args: any; state: 'complete' | 'unfinished' | 'provider' }[]
  stop: 'cut' | 'end' | 'maxTokens' | 'toolCalls' | 'stopText' | 'refused' | 'paused' | 'other'
  stopReason: string | null
  usage: Usage | null
  rawUsage: any
  model: string | null
  id: string | null
  ignored: string[]
}

export interface Model {
  name: string
  servedAs?: string
  contextLength?: number
  maxOutput?: number
  vocabulary: 'o200k' | 'cl100k' | { o200kTimes: number }
  minCacheable?: number
  noSystem?: boolean
  prices?: { input: number; output: number; cacheRead?: number; cacheWrite?: number }
}

/** The messages that fit, a list; its facts do not show when it is written as JSON. */
export type Fitted<M> = M[] & {
  /** For each message its place in the list that came in, or null where it was written anew. */
  readonly kept: (number | null)[]
  readonly report: Report
}

export type FittedRequest<B extends object> = B & { readonly report: Report }

export class Assembly {
  /** Exactly what is to be sent. */
  readonly text: string
  readonly bytes: Buffer
  readonly request: any
  readonly report: Report
}

export class Converted {
  readonly text: string
  readonly loss: { outcome: 'mapped' | 'dropped' | 'repaired'; what: string; note: string; count: number; first: string | null }[]
  json(): any
}

export type Source = readonly object[] | object | string | Uint8Array | History

/** A conversation that is read once and assembled often. */
export class History<M extends object = any> {
  constructor(messages?: readonly M[], options?: { model?: string; shape?: Shape })
  static from<M extends object>(messages: readonly M[], options?: { model?: string; shape?: Shape }): Promise<History<M>>
  static read(source: object | string | Uint8Array, options?: { format?: string }): Promise<History>
  static readSync(source: object | string | Uint8Array, options?: { format?: string }): History
  append(...messages: M[]): void
  extend(messages: Iterable<M>): Promise<void>
  /** From now on `text` stands for the first `until` messages. */
  summarize(text: string, until: number): void
  fit(options?: FitOptions): Promise<Fitted<M>>
  fitSync(options?: FitOptions): Fitted<M>
  assemble(to?: Dialect, options?: AskOptions): Promise<Assembly>
  assembleSync(to?: Dialect, options?: AskOptions): Assembly
  count(options?: Pick<Policy, 'model' | 'counter'>): Promise<Count>
  countSync(options?: Pick<Policy, 'model' | 'counter'>): Count
  readonly shape: Shape | null
  readonly length: number
  readonly messages: M[]
}

export function fit<M extends object>(messages: readonly M[] | History<M>, options?: FitOptions): Promise<Fitted<M>>
export function fit<B extends object>(request: B, options?: FitOptions): Promise<FittedRequest<B>>
export function fitSync<M extends object>(messages: readonly M[] | History<M>, options?: FitOptions): Fitted<M>
export function fitSync<B extends object>(request: B, options?: FitOptions): FittedRequest<B>
export function assemble(source: Source, to?: Dialect, options?: AskOptions & SourceOptions): Promise<Assembly>
export function assembleSync(source: Source, to?: Dialect, options?: AskOptions & SourceOptions): Assembly
export function count(source: Source, options?: Pick<Policy, 'model' | 'counter'> & SourceOptions): Promise<Count>
export function countSync(source: Source, options?: Pick<Policy, 'model' | 'counter'> & SourceOptions): Count
export function convert(source: Source, to: Dialect | FileFormat, options?: Policy & SourceOptions): Promise<Converted>
export function convertSync(source: Source, to: Dialect | FileFormat, options?: Policy & SourceOptions): Converted
export function lint(request: unknown, dialect: Dialect): Finding[]
export function decode(reply: unknown, dialect: Dialect): Reply

export type Delta =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'reasoningEnd'; text: string; signature: string | null }
  | { type: 'callStart'; index: number; id: string; name: string }
  | { type: 'callArgs'; index: number; text: string }
  | { type: 'part'; part: Record<string, unknown> }
  | { type: 'usage'; usage: Usage }

/** A streamed reply, wherever its bytes are cut. */
export class StreamDecoder {
  constructor(dialect: Dialect)
  push(chunk: string | Uint8Array): Delta[]
  soFar(): Reply
  finish(): Reply
}

export function model(name: string): Model | null
export function models(): Model[]

export class WeftworkError extends Error {}
export class InvalidMessage extends WeftworkError {
  /** Which message, from 0; null where the fault is not in one. */
  readonly index: number | null
  readonly path: string
  readonly reason: string
}
export class InvalidInput extends WeftworkError {}
export class InvalidOption extends WeftworkError {}
export class InvalidHistory extends WeftworkError {
  readonly node: string | null
}
export class NothingToSend extends WeftworkError {}
export class DoesNotFit extends WeftworkError {
  readonly kind: 'systemTooLarge' | 'doesNotFit' | 'overLimit'
  readonly tokens: number
  readonly budget: Budget | null
  readonly largest: { what: string; tokens: number }[]
}
export class NeedsRepair extends WeftworkError {
  readonly node: string | null
  readonly kind: string
}
export class ProviderError extends WeftworkError {
  readonly kind: 'overflow' | 'rateLimit' | 'quota' | 'auth' | 'overloaded' | 'other'
  readonly status: number | null
  readonly code: string | null
}
export class InvalidReply extends WeftworkError {}
export class InternalError extends WeftworkError {}
