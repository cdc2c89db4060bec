import { expect, onTestFinished, test } from 'vitest'
import { helpTitle } from '../../src/telegram/features/home/help-words.ts'
import { newServerAlone } from '../support/bot/http-server.ts'
import { createWorld, type World } from '../support/world.ts'

/** Updates that are not from Telegram, and unexpected updates from Telegram. */

const header = 'x-telegram-bot-api-secret-token'

const send = async (url: string, secret: string | null, body: string): Promise<number> => {
  const headers = secret === null ? {} : { [header]: secret }
  const answer = await fetch(`${url}/telegram`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}

test('an update without the secret token, or with a similar one, is refused unread', async () => {
  const { url, keyring, updates, newCallbackPath } = await newServerAlone()
  const secret = keyring.telegramSecret()
  const wrong = [
    '',
    'wrong',
    secret.slice(0, -1),
    `${secret}x`,
    `${secret},${secret}`,
    secret.toLowerCase(),
    [...secret].reverse().join(''),
    `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
    newCallbackPath().slice('/webhooks/'.length),
  ].filter((each) => each !== secret)
  for (const each of [null, ...wrong]) {
    expect([each, await send(url, each, '{"update_id":1}')]).toEqual([each, 401])
    expect([each, await send(url, each, 'not JSON')]).toEqual([each, 401])
  }
  expect(updates).toEqual([])
  expect(await send(url, secret, '{"update_id":1}')).toBe(200)
  expect(updates).toHaveLength(1)
})

test('while the bot polls, nobody can send an update to it, even with the right secret token', async () => {
  const { url, keyring } = await newServerAlone({ updates: 'polling' })
  expect(await send(url, keyring.telegramSecret(), '{"update_id":1}')).toBe(401)
})

test('a body that is not an update is refused, so that Telegram sends it again', async () => {
  const { url, keyring, updates } = await newServerAlone()
  const secret = keyring.telegramSecret()
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '"1"',
    '{"update_id":"1"}',
    '{"update_id":null}',
    '{"message":{}}',
  ]) {
    expect([body, await send(url, secret, body)]).toEqual([body, 400])
  }
  expect(await send(url, secret, `{"update_id":1,"x":"${'x'.repeat(1024 * 1024)}"}`)).toBe(413)
  expect(updates).toEqual([])
})

test('an update that cannot be handled is accepted and logged, so that Telegram does not send it forever', async () => {
  const { url, keyring, logged } = await newServerAlone({
    onUpdate: async () => {
      throw new TypeError('nobody has foreseen this')
    },
  })
  expect(await send(url, keyring.telegramSecret(), '{"update_id":77}')).toBe(200)
  expect(logged).toEqual([expect.stringMatching(/"updateId":77.*an update could not be handled/)])
})

test('an update that arrives before the bot is connected is refused, so that Telegram sends it again', async () => {
  let trouble: string | null = 'not connected yet'
  const { url, keyring, updates } = await newServerAlone({ telegramTrouble: () => trouble })
  expect(await send(url, keyring.telegramSecret(), '{"update_id":1}')).toBe(503)
  expect(updates).toEqual([])
  trouble = null
  expect(await send(url, keyring.telegramSecret(), '{"update_id":1}')).toBe(200)
  expect(updates).toHaveLength(1)
})

const secretOf = (world: World): string => String(world.telegram.calls('setWebhook')[0]?.payload.secret_token)

const from = { id: 987_654, is_bot: false, first_name: 'Somebody' }
const chat = { id: 987_654, type: 'private', first_name: 'Somebody' }
const message = { message_id: 1, date: 1, chat, from, text: '/start' }

/** Updates that are sent with the right secret token, although Telegram would never send most of them. */
const garbage: object[] = [
  {},
  { message: null },
  { message: 5 },
  { message: 'text' },
  { message: [] },
  { message: {} },
  { message: { chat: null } },
  { message: { chat: 5, from: 6 } },
  { message: { ...message, chat: { id: 'x', type: {} } } },
  { message: { ...message, chat: { ...chat, id: null } } },
  { message: { ...message, from: null } },
  { message: { ...message, from: { id: {} } } },
  { message: { ...message, text: 5 } },
  { message: { ...message, text: { toString: 'x' } } },
  { message: { ...message, text: '' } },
  { message: { ...message, entities: 5 } },
  { message: { ...message, entities: [null, 5, {}] } },
  { message: { ...message, entities: [{ type: 'bot_command', offset: -5, length: 1e9 }] } },
  { message: { ...message, message_id: 'x', date: 'yesterday' } },
  { message: { ...message, text: undefined, document: 5 } },
  { message: { ...message, text: undefined, document: { file_id: {}, file_name: [] } } },
  { message: { ...message, text: undefined, contact: { phone_number: {} } } },
  { message: { ...message, reply_to_message: 5 } },
  { message: { ...message, reply_to_message: { reply_markup: { inline_keyboard: [[null]] } } } },
  { message: { ...message, forward_origin: 5 } },
  { callback_query: null },
  { callback_query: 5 },
  { callback_query: { id: 5 } },
  { callback_query: { id: '1', from } },
  { callback_query: { id: '1', from, data: 5, message } },
  { callback_query: { id: '1', from, data: 'home', message: 5 } },
  { callback_query: { id: '1', from, data: 'home', message: { ...message, reply_markup: 5 } } },
  { callback_query: { id: '1', from: null, data: 'home', message } },
  { my_chat_member: 5 },
  { my_chat_member: { chat, from, new_chat_member: null } },
  { my_chat_member: { chat: { id: 'x' }, from, new_chat_member: { status: {} } } },
  { edited_message: 5 },
  { inline_query: 5 },
  { of_next_year: { chat, from } },
  JSON.parse('{"__proto__":{"message":{"chat":{"id":1}}},"constructor":{"prototype":5}}') as object,
]

test('a strange update with the right secret token is accepted once, and neither stops the bot nor delays anyone', async () => {
  const world = await createWorld({ process: true, env: { TELEGRAM_UPDATES: 'webhook' } })
  onTestFinished(() => world.close())
  const pid = world.bot.pid()
  const secret = secretOf(world)
  const answers = await Promise.all(
    garbage.map(async (update, index) => [
      update,
      await send(world.botUrl, secret, JSON.stringify({ update_id: 10_000 + index, ...update })),
    ]),
  )
  expect(answers).toEqual(garbage.map((update) => [update, 200]))
  const person = world.newPerson()
  person.chat.say('/help')
  await person.chat.waitForText(helpTitle)
  expect(world.bot.pid()).toBe(pid)
  expect(world.bot.output()).not.toContain('"level":"fatal"')
})
