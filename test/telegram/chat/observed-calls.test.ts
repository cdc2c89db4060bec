import { expect, onTestFinished, test } from 'vitest'
import { createTelegram } from '../../../src/sandbox/index.ts'
import { createBot } from '../../../src/telegram/bot.ts'
import type { TelegramCall } from '../../../src/telegram/chat/observed-calls.ts'

const newBot = async () => {
  const telegram = await createTelegram()
  onTestFinished(telegram.stop)
  const calls: TelegramCall[] = []
  const bot = createBot(telegram.token, telegram.url, { onCall: (call) => calls.push(call) })
  const chat = telegram.addPerson().id
  return { telegram, bot, chat, told: () => calls.map(({ method, outcome }) => [method, outcome]), calls }
}

test('every call to Telegram is reported with its outcome and the wait that Telegram demands', async () => {
  const { telegram, bot, chat, calls, told } = await newBot()
  telegram.addFault({ method: 'sendMessage', kind: 'flood', retryAfterSeconds: 7 })
  await expect(bot.api.sendMessage(chat, 'x')).rejects.toThrow('429')
  await expect(bot.api.sendMessage(4, 'x')).rejects.toThrow(/40[03]/)
  expect(told()[0]).toEqual(['sendMessage', '429'])
  expect(calls[0]?.retryAfterSeconds).toBe(7)
  expect(told()[1]?.[1]).toMatch(/^40[03]$/)
})

test('each attempt of a repeated call to Telegram is reported', async () => {
  const { telegram, bot, chat, told } = await newBot()
  telegram.addFault({ method: 'deleteMessage', kind: 'flood' })
  await bot.api.deleteMessage(chat, 1).catch(() => {})
  expect(told().map(([method]) => method)).toEqual(['deleteMessage', 'deleteMessage'])
  expect(told()[0]).toEqual(['deleteMessage', '429'])
})

test('a call to an unreachable Telegram is reported as unreachable, and an aborted call as aborted', async () => {
  const { telegram, bot, told } = await newBot()
  await telegram.stop()
  await expect(bot.api.getMe()).rejects.toThrow()
  expect(told()).toEqual([['getMe', 'unreachable']])
  await expect(bot.api.getMe(AbortSignal.abort() as never)).rejects.toThrow()
  expect(told()[1]).toEqual(['getMe', 'aborted'])
})
