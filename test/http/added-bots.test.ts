import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import { type BotRoutes, createAddedRoutes } from '../../src/http/bot-routes.ts'
import { createKeyring, keysOfBot } from '../../src/wallets/keyring.ts'
import { newServerAlone } from '../support/http-server.ts'

/** One server for several bots: the path of a callback, and the secret of an update, say which is meant. */

const newBots = async () => {
  const masters = [randomBytes(32)]
  const added = createAddedRoutes()
  const taken: string[] = []
  const routesOf = (id: number): BotRoutes => ({
    keyring: createKeyring(keysOfBot(masters, id)),
    inbox: { accept: async () => void taken.push(`callback ${id}`), quiet: async () => {} },
    callbackLimit: { hasRoom: async () => true },
    onUpdate: async ({ update_id }) => {
      taken.push(`update ${update_id} ${id}`)
      return 'done'
    },
    telegramTrouble: () => null,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
  })
  const [first, second] = [routesOf(1), routesOf(2)]
  added.set(1, first)
  added.set(2, second)
  const server = await newServerAlone({ added })
  const post = async (path: string, headers: Record<string, string>, body: object) =>
    (await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  const callBack = (token: string) => post(`/webhooks/${token}`, {}, { reference: 'a', status: 'delivered' })
  const update = (secret: string) =>
    post('/telegram', { 'x-telegram-bot-api-secret-token': secret }, { update_id: 5 })
  const signed = ({ keyring }: Pick<BotRoutes, 'keyring'>) => keyring.sign('webhook', newId())
  return { added, first, second, server, taken, callBack, update, signed }
}

test('a callback goes to the bot that its path names, if that bot signed it', async () => {
  const { first, second, server, taken, callBack, signed } = await newBots()
  expect(await callBack(`1.${signed(first)}`)).toBe(200)
  expect(await callBack(`2.${signed(second)}`)).toBe(200)
  expect(await callBack(signed(server))).toBe(200)
  expect(taken).toEqual(['callback 1', 'callback 2'])
  expect(server.events).toHaveLength(1)
  for (const wrong of [`2.${signed(first)}`, signed(first), `1.${signed(server)}`, `3.${signed(first)}`])
    expect(await callBack(wrong)).toBe(404)
  expect(taken).toHaveLength(2)
})

test('an update goes to the bot whose secret it carries', async () => {
  const { first, second, server, taken, update } = await newBots()
  for (const { keyring } of [second, first, server]) expect(await update(keyring.telegramSecret())).toBe(200)
  expect(taken).toEqual(['update 5 2', 'update 5 1'])
  expect(server.updates).toHaveLength(1)
  expect(await update('nobody’s'.replace('’', ''))).toBe(401)
})

test('callbacks of a bot that rests are to come again, and those of a removed one are unknown', async () => {
  const { added, first, callBack, update, signed } = await newBots()
  added.set(1, 'resting')
  expect(await callBack(`1.${signed(first)}`)).toBe(503)
  expect(await update(first.keyring.telegramSecret())).toBe(401)
  added.remove(1)
  expect(await callBack(`1.${signed(first)}`)).toBe(404)
})
