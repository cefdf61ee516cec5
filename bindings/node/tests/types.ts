// The types say what the package does: this is checked, never run.
import type { ModelMessage } from 'ai'
import OpenAI from 'openai'
import * as weftwork from 'weftwork'
import { prepareStep } from 'weftwork/ai'

async function check(client: OpenAI, messages: OpenAI.ChatCompletionMessageParam[], model: ModelMessage[]) {
  const fitted = await weftwork.fit(messages, { model: 'gpt-4o', maxInput: 8000 })
  await client.chat.completions.create({ model: 'gpt-4o', messages: fitted })
  const kept: (number | null)[] = fitted.kept
  const same: ModelMessage[] = weftwork.fitSync(model, { strategy: 'rollingWindow' })
  const body = await weftwork.fit({ model: 'gpt-4o', messages }, { cache: 'off' })
  const name: string = body.model
  const history = new weftwork.History(messages)
  const text: string = (await history.assemble('anthropic', { maxInput: 10, each: true })).text
  const step = await prepareStep({ maxInput: 1 })({ messages: model })
  // @ts-expect-error no such strategy
  await weftwork.fit(messages, { strategy: 'magic' })
  // @ts-expect-error no such dialect
  weftwork.lint({}, 'klingon')
  return [kept, same, name, text, step]
}

void check
