import { InlineKeyboard, webhookCallback } from 'grammy'
import { expect, it } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { apiOf, botOf, startedChat, startSimulator } from './simulation.ts'
import { contentOf, listen, startTarget } from './target.ts'

it('a bot can receive updates from the simulated Telegram by webhook, with its secret', async () => {
  const sim = await startSimulator()
  const bot = botOf(sim)
  bot.command('start', (ctx) => ctx.reply('Hello'))
  const url = await listen(webhookCallback(bot, 'http', { secretToken: 'a-secret' }))
  await bot.api.setWebhook(url, { secret_token: 'a-secret' })
  const chat = chatOf(sim, sim.addPerson().id)
  chat.say('/start')
  await chat.waitForText('Hello')
})

it('the simulated Telegram repeats an update until the webhook answers 2xx, and reports the failure', async () => {
  const { chat, api } = await startedChat({ webhookRetryMs: 1 })
  let failures = 2
  const target = await startTarget(({ answer }) => answer(failures-- > 0 ? 503 : 200))
  await api.setWebhook(target.url, { secret_token: 's' })
  chat.say('second')
  const deliveries = await target.first(4)
  expect(deliveries.map(contentOf)).toEqual(['hello', 'hello', 'hello', 'second'])
  expect(deliveries[0]?.headers['x-telegram-bot-api-secret-token']).toBe('s')
  expect(await api.getWebhookInfo()).toMatchObject({
    url: target.url,
    max_connections: 40,
    last_error_message: 'Wrong response from the webhook: 503 Service Unavailable',
  })
})

it('the simulated Telegram keeps an update if nothing listens at the webhook, and delivers it to a new webhook', async () => {
  const { sim, api } = await startedChat({ webhookRetryMs: 1 })
  await api.setWebhook('http://127.0.0.1:1/')
  let info = await api.getWebhookInfo()
  while (info.last_error_message === undefined) info = await api.getWebhookInfo()
  expect(info).toMatchObject({ pending_update_count: 1, last_error_message: expect.any(String) })
  const target = await startTarget(({ answer }) => answer(200))
  await api.setWebhook(target.url)
  expect((await target.first(1)).map(contentOf)).toEqual(['hello'])
  expect(sim.calls('setWebhook')).toHaveLength(2)
})

it('an update that a simulated webhook has not answered delays only later messages of its chat', async () => {
  const { sim, person, chat, api } = await startedChat()
  const other = chatOf(sim, sim.addPerson().id)
  await api.sendMessage(person.id, 'x', { reply_markup: new InlineKeyboard().text('a', 'pressed') })
  const target = await startTarget()
  await api.setWebhook(target.url)
  chat.say('waits for hello')
  other.say('goes at once')
  chat.press('a')
  const unanswered = await target.first(3)
  expect(unanswered.map(contentOf).toSorted()).toEqual(['goes at once', 'hello', 'pressed'])
  expect((await api.getWebhookInfo()).pending_update_count).toBe(4)
  unanswered.find((delivery) => contentOf(delivery) === 'hello')?.answer(200)
  expect((await target.first(4)).map(contentOf).at(-1)).toBe('waits for hello')
})

it('max_connections limits how many updates the simulated Telegram delivers at the same time', async () => {
  const sim = await startSimulator()
  const api = apiOf(sim)
  const chats = [sim.addPerson(), sim.addPerson(), sim.addPerson()].map(({ id }) => chatOf(sim, id))
  let underWay = 0
  let most = 0
  const target = await startTarget(({ answer }) => {
    underWay += 1
    most = Math.max(most, underWay)
    setImmediate(() => {
      underWay -= 1
      answer(200)
    })
  })
  await api.setWebhook(target.url, { max_connections: 1 })
  for (const text of ['a', 'b']) for (const chat of chats) chat.say(text)
  await target.first(6)
  expect(most).toBe(1)
})

it('the simulated Telegram carries out a method in the webhook’s answer', async () => {
  const { person, chat, api } = await startedChat()
  const target = await startTarget(({ answer }) =>
    answer(200, { method: 'sendMessage', chat_id: person.id, text: 'by reply' }),
  )
  await api.setWebhook(target.url)
  await chat.waitForText('by reply')
})

it('a webhook and getUpdates exclude each other in the simulated Telegram', async () => {
  const { sim, api } = await startedChat()
  const { url } = await startTarget(({ answer }) => answer(500))
  const answer = async (method: string, body: object) => {
    const response = await fetch(`${sim.url}/bot${sim.token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  expect(await answer('setWebhook', { url })).toEqual({
    ok: true,
    result: true,
    description: 'Webhook was set',
  })
  expect(await answer('getUpdates', {})).toEqual({
    ok: false,
    error_code: 409,
    description:
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  })
  expect(await answer('setWebhook', { url })).toMatchObject({ description: 'Webhook is already set' })
  expect(await answer('deleteWebhook', {})).toMatchObject({ description: 'Webhook was deleted' })
  expect(await answer('deleteWebhook', {})).toMatchObject({ description: 'Webhook is already deleted' })
  expect(await api.getUpdates()).toHaveLength(1)
  await api.deleteWebhook({ drop_pending_updates: true })
  expect(await api.getUpdates()).toEqual([])
})

it('the simulated Telegram refuses webhooks beyond this machine', async () => {
  const api = apiOf(await startSimulator())
  await expect(api.setWebhook('https://example.org/hook')).rejects.toMatchObject({
    error_code: 400,
    description: expect.stringContaining('bad webhook'),
  })
  await expect(api.setWebhook('http://127.0.0.1:1/', { secret_token: 'a b' })).rejects.toMatchObject({
    description: 'Bad Request: secret token contains unallowed characters',
  })
})
