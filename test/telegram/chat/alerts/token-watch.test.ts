import { GrammyError, HttpError } from 'grammy'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTokenWatch } from '../../../../src/telegram/chat/alerts/token-watch.ts'

const ownUrl = 'https://bot.example/telegram'

/** A watch with a Telegram whose webhook and name the test can change. */
const newWatch = (settledFor = ownUrl) => {
  const telegram = { url: ownUrl, username: 'shop_bot', refuses: false, keepsAddress: false }
  const facts = new Map<string, string>([['webhook', settledFor]])
  const seen = {
    told: [] as string[],
    noted: [] as string[],
    lines: [] as string[],
    settled: 0,
    closed: [] as string[],
  }
  const standing = new Set<string>()
  const clock = { ms: 0 }
  const database = { isAway: false }
  const asked = async <T>(answer: T): Promise<T> => {
    if (!telegram.refuses) return answer
    throw new GrammyError('getMe', { ok: false, error_code: 401, description: 'Unauthorized' }, 'getMe', {})
  }
  const api = {
    getWebhookInfo: () => asked({ url: telegram.url }),
    getMe: () => asked({ username: telegram.username }),
  }
  const watch = createTokenWatch({
    api: api as unknown as Parameters<typeof createTokenWatch>[0]['api'],
    facts: {
      read: async (name) => facts.get(name) ?? null,
      write: async (name, value) => void facts.set(name, value),
    },
    ownUrl,
    ownName: () => 'shop_bot',
    settleUpdates: async () => {
      seen.settled += 1
      if (telegram.keepsAddress) throw new HttpError('setWebhook', null)
      telegram.url = ownUrl
    },
    tell: async (text) => void seen.told.push(text),
    alerts: {
      warn: async (name, text) => {
        seen.told.push(text)
        standing.add(name)
      },
      standing: async (name) => (standing.has(name) ? [{ chatId: 1, messageId: 1, since: new Date(0) }] : []),
      end: async (name) => {
        standing.delete(name)
        seen.closed.push(name)
      },
    },
    bearableMs: 30_000,
    note: async ({ kind, detail }) => {
      if (database.isAway) throw new Error('the database takes no changes')
      seen.noted.push(`${kind} ${detail}`)
    },
    log: pino({}, { write: (line: string) => seen.lines.push(line) }),
    monotonicMs: () => clock.ms,
    sleep: async () => {},
  })
  return { watch, telegram, database, seen, clock }
}

test('if somebody else has set the webhook, the bot sets it back, tells operators and logs a security event', async () => {
  const { watch, telegram, seen } = newWatch()
  telegram.url = 'https://thief.example/secret-path'
  await watch.look()
  expect(telegram.url).toBe(ownUrl)
  expect(seen.told).toEqual([expect.stringContaining('to another address</b>: <code>thief.example</code>')])
  expect(seen.told[0]).toContain('Make a new one with @BotFather')
  expect(seen.noted).toEqual(['token_misused webhook'])
  expect(seen.lines.join()).toContain('TELEGRAM_BOT_TOKEN')
})

test('if somebody keeps changing the webhook, the bot sets it back each time and tells operators once an hour', async () => {
  const { watch, telegram, seen, clock } = newWatch()
  for (const minutes of [0, 1, 2, 61]) {
    clock.ms = minutes * 60_000
    telegram.url = ''
    await watch.look()
  }
  expect(seen.settled).toBe(4)
  expect(seen.told).toHaveLength(2)
  expect(seen.told[0]).toContain('cut off this bot’s updates')
})

test('if the bot cannot set the webhook back, operators are told immediately, and told again when updates return', async () => {
  const { watch, telegram, seen, clock } = newWatch()
  Object.assign(telegram, { url: 'https://thief.example/', keepsAddress: true })
  await watch.look()
  await watch.look()
  expect(seen.told).toEqual([expect.stringContaining('thief.example</code>. I can’t take them back yet')])
  expect(seen.noted).toEqual(['token_misused webhook'])
  telegram.keepsAddress = false
  await watch.look()
  await watch.look()
  const isBack = expect.stringMatching(/^✅ I’m getting this bot’s updates again\.\nIf that wasn’t you/)
  expect(seen.told.slice(1)).toEqual([isBack])
  expect(seen.closed).toEqual(['updates'])
  // The bot thinks that it could not set the webhook back. The next look finds that the webhook is right again.
  clock.ms = 61 * 60_000
  Object.assign(telegram, { url: '', keepsAddress: true })
  await watch.look()
  telegram.url = ownUrl
  await watch.look()
  expect(seen.told.slice(2)).toEqual([expect.stringContaining('I can’t switch them on again yet'), isBack])
})

test('operators are told of a changed webhook even if the database cannot store the security event', async () => {
  const { watch, telegram, database, seen } = newWatch()
  telegram.url = 'https://thief.example/'
  database.isAway = true
  await watch.look()
  expect([seen.told.length, seen.noted.length]).toEqual([1, 0])
})

test('a webhook that another process of the bot has set is not reported to operators', async () => {
  const { watch, telegram, seen } = newWatch('https://new.example/telegram')
  telegram.url = 'https://new.example/telegram'
  await watch.look()
  telegram.url = ownUrl
  await watch.look()
  expect(seen).toMatchObject({ settled: 0, told: [], noted: [] })
})

test('operators are told if the bot’s username has changed, and a refused token is only logged', async () => {
  const { watch, telegram, seen } = newWatch()
  telegram.username = 'other_bot'
  await watch.look()
  expect(seen.told).toEqual([expect.stringContaining('now called @other_bot, not @shop_bot')])
  telegram.username = 'shop_bot'
  await watch.look()
  expect(seen.closed).toEqual(['renamed'])
  telegram.refuses = true
  await watch.look()
  await watch.look()
  expect(seen.noted).toEqual(['token_misused renamed', 'token_misused refused'])
  expect(seen.told).toHaveLength(1)
  expect(seen.lines.join()).toContain('Telegram no longer accepts this token')
})

test('operators are alerted that the bot will stop if another program reads its updates', async () => {
  const { watch, seen } = newWatch()
  await watch.onAlone()
  expect(seen.closed).toEqual([])
  await watch.onRival()
  expect(seen.told).toEqual([expect.stringContaining('If this continues, I’ll stop in 30 seconds.')])
  await watch.onAlone()
  await watch.onAlone()
  expect(seen.closed).toEqual(['rival'])
})
