// @module-tag process
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../support/bot/command.ts'
import { createWorld, type World } from '../support/world.ts'

const key = randomBytes(32).toString('base64')
let world: World
let env: Record<string, string>

beforeAll(async () => {
  world = await createWorld({ env: { CREDENTIALS_KEY: key } })
  env = {
    TELEGRAM_BOT_TOKEN: world.telegram.token,
    TELEGRAM_API_ROOT: world.telegram.url,
    BUNDLE_API_URL: world.provider.url,
    CREDENTIALS_KEY: key,
    DATABASE_URL: `file:${world.databasePath}`,
    PUBLIC_URL: world.botUrl,
    PORT: new URL(world.botUrl).port,
    OWNER_IDS: '1',
  }
})
afterAll(() => world?.close())

test('next to a running bot the doctor finds nothing to fix, and the bot keeps working', async () => {
  const { chat } = await world.newReseller()
  const { code, out, err } = await runCommand('doctor', [], env)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^Bundlegram \d+\.\d+\.\d+, Node \d/)
  expect(out).toMatch(/^ok {4}HTTP server: the bot on 127\.0\.0\.1:\d+ is ready$/m)
  expect(out).toMatch(/^ok {4}public address: reaches this bot/m)
  expect(out).toMatch(/^ok {4}instances: worker: process \d+ on /m)
  expect(out).toMatch(/^ok {4}CREDENTIALS_KEY: opens the account in this database$/m)
  expect(out).toMatch(/^0 to fix, \d+ to look at, \d+ ok$/m)
  for (const secret of [key, world.telegram.token]) expect(out).not.toContain(secret)
  const { message_id: after } = chat.say('/balance')
  await chat.waitForText('GHS', { after })
})

test('the doctor reports each failure with a remedy, as text and as JSON, and exits with 1', async () => {
  const other = { ...env, TELEGRAM_BOT_TOKEN: `123456789:${'x'.repeat(35)}` }
  const text = await runCommand('doctor', [], other)
  expect(text.code).toBe(1)
  expect(text.out).toMatch(
    /^FAIL {2}Telegram: the token is refused \(401\)\n {6}→ Copy the token from @BotFather/m,
  )
  const json = await runCommand('doctor', ['--json'], other)
  expect(json.code).toBe(1)
  const { well, findings } = JSON.parse(json.out)
  expect(well).toBe(false)
  expect(findings).toContainEqual({
    grade: 'fail',
    what: 'Telegram',
    finding: 'the token is refused (401)',
    remedy: expect.stringContaining('@BotFather'),
  })
})

test('while the bot is not running, the doctor listens on the bot’s port itself to check the public address', async () => {
  await world.bot.stop()
  const { code, out } = await runCommand('doctor', [], env)
  expect(code).toBe(0)
  expect(out).toMatch(/^ok {4}HTTP server: .*no bot runs there$/m)
  expect(out).toMatch(/^ok {4}public address: reaches this bot/m)
  await world.bot.start()
})

test('the doctor prints its help with --help and after a wrong option', async () => {
  const help = await runCommand('doctor', ['--help'])
  expect(help).toMatchObject({ code: 0, err: '', out: expect.stringContaining('npm run doctor') })
  const wrong = await runCommand('doctor', ['--quick'], env)
  expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringContaining('npm run doctor') })
})
