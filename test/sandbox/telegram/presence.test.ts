import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTelegram, type TelegramSimulator } from '../../../src/sandbox/index.ts'

const simulator = async (): Promise<TelegramSimulator> => {
  const telegram = await createTelegram({ webhookRetryMs: 10 })
  onTestFinished(() => telegram.stop())
  return telegram
}

const call = (telegram: TelegramSimulator, method: string, signal?: AbortSignal) =>
  fetch(`${telegram.url}/bot${telegram.token}/${method}`, signal ? { signal } : {})

const isHere = (telegram: TelegramSimulator) => telegram.state().isBotConnected

test('the simulated Telegram counts a bot as connected while it polls, and not for other calls', async () => {
  const telegram = await simulator()
  const told: boolean[] = []
  telegram.on((event) => {
    if (event.type === 'connection') told.push(event.isBotConnected)
  })
  await call(telegram, 'getMe')
  expect(isHere(telegram)).toBe(false)
  const hangUp = new AbortController()
  const poll = call(telegram, 'getUpdates?timeout=50', hangUp.signal).catch(() => null)
  await telegram.waitFor(() => isHere(telegram))
  hangUp.abort()
  await poll
  await telegram.waitFor(() => !isHere(telegram))
  expect(told).toEqual([true, false])
})

test('the simulated Telegram counts a bot with a webhook as connected until it fails to accept an update', async () => {
  const telegram = await simulator()
  let status = 200
  const bot = createServer((_request, response) => response.writeHead(status).end())
  onTestFinished(() => void bot.close())
  await once(bot.listen(0, '127.0.0.1'), 'listening')
  await call(telegram, `setWebhook?url=http://127.0.0.1:${(bot.address() as AddressInfo).port}/`)
  await telegram.waitFor(() => isHere(telegram))
  status = 502
  telegram.say({ from: 700_000_001, text: '/start' })
  await telegram.waitFor(() => !isHere(telegram))
  status = 200
  await telegram.waitFor(() => isHere(telegram))
})
