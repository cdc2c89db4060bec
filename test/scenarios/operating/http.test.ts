// @module-tag screens
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { historyTitle } from '../../../src/telegram/features/orders/history-words.ts'
import { createWorld, type World } from '../../support/world.ts'
import { cardReads, changeDatabase, debitsOf, newPhone, place } from '../shop.ts'

const metricsToken = 'a-token-for-the-metrics'

/** Updates arrive on the HTTP server here: Telegram's webhook mode. */
let world: World

beforeAll(async () => {
  world = await createWorld({ env: { TELEGRAM_UPDATES: 'webhook', METRICS_TOKEN: metricsToken } })
})
afterAll(() => world?.close())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${world.botUrl}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const json = (text: string) => JSON.parse(text) as Record<string, unknown>

describe('updates by webhook', () => {
  test('carry a whole purchase, from connecting the account to the delivery', async () => {
    const reseller = await world.newReseller()
    const placed = await place(world, reseller, newPhone())
    const card = await reseller.chat.waitForText(placed.reference)
    world.provider.setStatus(placed.reference, 'delivered')
    await cardReads(world, reseller, card, /· delivered\n/)
    await reseller.chat.waitForText(/✅ .*: delivered/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(world.telegram.calls('getUpdates')).toHaveLength(0)
    const [registered] = world.telegram.calls('setWebhook')
    expect(registered?.payload).toMatchObject({ url: `${world.botUrl}/telegram` })
  })

  test('make one order even if Telegram delivers the press again', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    reseller.chat.say(`${phone} 2GB`)
    const card = await reseller.chat.waitForText(asksToConfirm)
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /BUD-API-/)
    for (const asNew of [false, true]) world.telegram.redeliver({ asNew })
    reseller.chat.say('/orders')
    await reseller.chat.waitForText(historyTitle)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('are refused without the secret token, and if they are malformed or too large', async () => {
    const { id, chat } = world.newPerson()
    chat.say('/help')
    const { message_id: after } = await chat.waitForText(helpTitle)
    const [registered] = world.telegram.calls('setWebhook')
    const secret = String(registered?.payload.secret_token)
    const update = {
      update_id: 1,
      message: {
        message_id: 1,
        date: 1,
        text: '/start',
        chat: { id, type: 'private', first_name: 'Somebody' },
        from: { id, is_bot: false, first_name: 'Somebody' },
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      },
    }
    const send = async (token: string | null, body: string): Promise<number> => {
      const headers = token === null ? {} : { 'x-telegram-bot-api-secret-token': token }
      const answer = await fetch(`${world.botUrl}/telegram`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      return answer.status
    }
    const body = JSON.stringify(update)
    expect(await send(null, body)).toBe(401)
    for (const wrong of ['', 'wrong', secret.slice(0, -1), `${secret}x`, metricsToken]) {
      expect(await send(wrong, body)).toBe(401)
    }
    for (const malformed of ['', '{', 'null', '[]', '{"update_id":"1"}', '{"message":{}}']) {
      expect(await send(secret, malformed)).toBe(400)
    }
    expect(await send(secret, '{"update_id":2}')).toBe(200)
    expect(await send(secret, '{"update_id":3,"message":{"chat":null}}')).toBe(200)
    expect(await send(secret, 'x'.repeat(1024 * 1024 + 1))).toBe(413)
    expect(chat.texts()).toHaveLength(1)
    expect(await send(secret, body)).toBe(200)
    await chat.waitForText('Bundlegram', { after })
  })
})

describe('the HTTP server', () => {
  test('answers 200 to /healthz while the process lives, and to /readyz while the database works', async () => {
    expect((await get('/healthz')).status).toBe(200)
    const ready = await get('/readyz')
    expect([ready.status, json(ready.text)]).toEqual([200, { ready: true, missing: [], telegram: 'ok' }])

    await changeDatabase(world, (db) => db.exec('ALTER TABLE Fact RENAME TO Gone'))
    try {
      const broken = await get('/readyz')
      expect([broken.status, json(broken.text)]).toMatchObject([503, { ready: false, missing: ['database'] }])
      expect((await get('/healthz')).status).toBe(200)
    } finally {
      await changeDatabase(world, (db) => db.exec('ALTER TABLE Gone RENAME TO Fact'))
    }
    expect((await get('/readyz')).status).toBe(200)
  })

  test('serves /metrics only with the token, if one is set', async () => {
    const here = await get('/metrics', { authorization: `Bearer ${metricsToken}` })
    expect(here.status).toBe(200)
    expect(here.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(here.text).toMatch(/^bundlegram_notices_owed \d+$/m)
    expect(here.text).toMatch(/^bundlegram_orders\{placement="placed"\} \d+$/m)
    for (const forwarded of [
      {},
      { forwarded: 'for=192.0.2.1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'X-Forwarded-Host': 'bundles.example.com' },
      { 'x-forwarded-proto': 'https', authorization: 'Bearer wrong' },
      { forwarded: 'for=192.0.2.1', authorization: metricsToken },
      { forwarded: 'for=192.0.2.1', authorization: 'Bearer ' },
    ]) {
      const refused = await get('/metrics', forwarded)
      expect([forwarded, refused.status]).toEqual([forwarded, 401])
      expect(refused.text).not.toContain('bundlegram_')
    }
    const authorization = `Bearer ${metricsToken}`
    expect((await get('/metrics', { forwarded: 'for=192.0.2.1', authorization })).status).toBe(200)
  })
})

describe('a request to an unknown path', () => {
  test('gets a 404 or 400 that reveals nothing about the program', async () => {
    for (const path of [
      '/',
      '/webhooks',
      '/webhooks/',
      '/admin',
      '/.env',
      '/healthz/x',
      '/%2e%2e/etc/passwd',
    ]) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.text).not.toMatch(/at |node_modules|\.ts|stack/)
    }
    for (const path of ['/telegram', '/webhooks/abc']) expect((await get(path)).status).toBe(404)
    const posted = await fetch(`${world.botUrl}/healthz`, { method: 'POST', body: 'x' })
    expect(posted.status).toBe(404)
    const bad = await get('/webhooks/%zz')
    expect(bad.status).toBe(400)
    expect(bad.text).not.toMatch(/at |node_modules|\.ts|stack/)
  })
})
