// @module-tag process
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorsWords, settingsRefused } from '../../src/application/start-refusal.ts'
import { openDatabase } from '../../src/database/database.ts'
import { newId } from '../../src/database/id.ts'
import { readConfig } from '../../src/start/config.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { readOut } from '../support/as-read.ts'
import { bundledBot } from '../support/bot/bundled-bot.ts'
import { newFolder } from '../support/folder.ts'
import { createWorld, type World } from '../support/world.ts'

/** Searches the last output of a failing process for every secret that the process knows. */

const throwing = new URL('../support/bot/throwing.ts', import.meta.url).href
const metricsToken = 'canary metrics "token"\\'
const password = 'canary%20pass=word'
const key = randomBytes(32)
const otherKey = randomBytes(32)
const keyring = createKeyring([key])
const webhookToken = keyring.sign('webhook', newId())
const shareToken = keyring.sign('share', newId())
const phone = '0241234567'

const secrets = (telegramToken: string) => [
  telegramToken,
  metricsToken,
  JSON.stringify(metricsToken).slice(1, -1),
  key.toString('base64'),
  otherKey.toString('base64'),
  webhookToken,
  shareToken,
  phone,
  'canary',
]

describe('a bot that crashes reports the crash and prints no secret', () => {
  let world: World
  beforeAll(async () => {
    const keys = [key, otherKey].map((each) => each.toString('base64')).join()
    world = await createWorld({
      crashable: true,
      env: { METRICS_TOKEN: metricsToken, CREDENTIALS_KEY: keys },
    })
  })
  afterAll(() => world?.close())

  test.each(['exception', 'rejection', 'rejection without an error', 'exception of many'])(
    'after an uncaught %s',
    async (kind) => {
      const { token } = world.telegram
      await world.bot.stop()
      const words = [
        `https://api.telegram.org/bot${token}/sendMessage`,
        `https://x.example/webhooks/${webhookToken} https://t.me/b?start=s${shareToken}`,
        `Bearer ${metricsToken} ${key.toString('base64')},${otherKey.toString('base64').slice(0, -1)}`,
        phone,
      ].join(' ')
      const before = world.bot.output().length
      await world.bot.start({ NODE_OPTIONS: `--import=${throwing}`, THROWN_BY: kind, THROWN_WITH: words })
      process.kill(world.bot.pid() ?? 0, 'SIGUSR2')
      expect(await world.bot.died()).toBe(1)
      const output = readOut(world.bot.output().slice(before))
      const last = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')
      expect(last).toMatchObject({ level: 'fatal', msg: 'crashed' })
      expect(secrets(token).filter((secret) => output.includes(secret))).toEqual([])
    },
  )
})

const startable = {
  TELEGRAM_BOT_TOKEN: '123456789:canary-bot-token-abcdefghij',
  TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
  BUNDLE_API_URL: 'http://127.0.0.1:9/api/v1',
  CREDENTIALS_KEY: key.toString('base64'),
  METRICS_TOKEN: metricsToken,
  LOG_LEVEL: 'trace',
  PORT: '0',
}

/** Starts a bot with settings that keep it from starting. */
const startInVain = async (env: Record<string, string>): Promise<{ code: number | null; output: string }> => {
  const folder = await newFolder()
  const { main, compileCache } = await bundledBot()
  const usual = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: compileCache,
    DATABASE_URL: `file:${join(folder, 'bundlegram.db')}`,
    ...startable,
  }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main],
      { env: { ...usual, ...env }, timeout: 60_000 },
      (_error, out, err) => resolve({ code: child.exitCode, output: out + err }),
    )
  })
}

const expectNoSecret = (output: string): void => {
  const known = secrets('123456789:canary-bot-token-abcdefghij')
  expect(known.filter((secret) => output.includes(secret))).toEqual([])
  expect(output).not.toContain(key.toString('base64').slice(0, 20))
  expect(output).not.toContain('27182')
  // A fault that the operator can fix is explained in a sentence.
  expect(output).toMatch(/^[A-Z_]+: .*\n$/)
}

describe('a bot that cannot start prints no secret', () => {
  test.each<[string, Record<string, string>]>([
    ['a bot token with a space in it', { TELEGRAM_BOT_TOKEN: '123456789:canary bot token' }],
    ['a PostgreSQL that is not running', { DATABASE_URL: `postgresql://user:${password}@127.0.0.1:9/db` }],
    ['a file in place of its folder', { DATABASE_URL: 'file:/dev/null/bundlegram.db' }],
  ])('when it is started with %s', async (_what, env) => {
    const { code, output } = await startInVain(env)
    expect(code).toBe(1)
    expectNoSecret(output)
  })

  test.each<[string, Record<string, string>]>([
    ['a key that is cut short', { CREDENTIALS_KEY: `canary${key.toString('base64').slice(0, 30)}` }],
    ['a second key that is invalid', { CREDENTIALS_KEY: `${key.toString('base64')},canary` }],
    ['a metrics token that is too short', { METRICS_TOKEN: 'canary' }],
    ['a password in an address of an unknown kind', { DATABASE_URL: `mysql://user:${password}@h/db` }],
    ['a password in the address of the provider', { BUNDLE_API_URL: `https://user:${password}@h/api/v1` }],
    ['a token in the address of Telegram', { TELEGRAM_API_ROOT: `https://h/?token=${password}` }],
    ['a password in the public address', { PUBLIC_URL: `https://user:${password}@h` }],
  ])('when it refuses its settings because of %s', (_what, env) => {
    const result = readConfig({ DATABASE_URL: 'file:./bundlegram.db', ...startable, ...env })
    expect(result).toHaveProperty('faults')
    if ('faults' in result) expectNoSecret(`${settingsRefused(result).join('\n')}\n`)
  })

  test.each<[string, Record<string, string>]>([
    [
      'a PostgreSQL address with an invalid port',
      { DATABASE_URL: `postgresql://user:${password}@h:port/db` },
    ],
    ['a password with a slash in it', { DATABASE_URL: `postgresql://user:canary/${password}@h/db` }],
    ['a password of digits and a slash', { DATABASE_URL: 'postgresql://user:27182/canary@h/db' }],
    [
      'a PostgreSQL address without a database',
      { DATABASE_URL: `postgresql://user:${password}@127.0.0.1:9` },
    ],
    ['an unknown parameter', { DATABASE_URL: `postgresql://user:${password}@127.0.0.1:9/db?sslmode=canary` }],
  ])('when it cannot open its database because of %s', async (_what, env) => {
    const result = readConfig({ ...startable, ...env })
    if ('faults' in result) throw new Error('The settings are refused before the database is opened.')
    const { config } = result
    const refused = await openDatabase(config.databaseUrl).catch((error: unknown) => error)
    expectNoSecret(`${operatorsWords(refused, config)}\n`)
  })
})
