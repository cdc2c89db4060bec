// @module-tag process
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

const main = join(import.meta.dirname, '../../src/commands/sandbox.ts')
const temporary = mkdtempSync(join(tmpdir(), 'sandbox-main-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const Sandbox = z.object({ provider: z.string(), account: z.string() })
const TelegramState = z.object({
  isBotConnected: z.boolean(),
  people: z.array(z.object({ id: z.number(), role: z.string() })),
})
const State = z.object({ accounts: z.array(z.object({ id: z.string(), apiKey: z.string() })) })

test('npm run sandbox starts a page, a provider and a bot, and Ctrl-C ends all of them without leaving files', async () => {
  const { sandbox, said, address } = await start('--port', '0')
  const page = await fetch(address)
  expect(await page.text()).toContain('<title>Bundlegram sandbox</title>')
  const { provider, account } = Sandbox.parse(await (await fetch(`${address}_sim/sandbox`)).json())
  const { accounts } = State.parse(await (await fetch(`${provider}/state`)).json())
  expect(said()).toContain(accounts.find(({ id }) => id === account)?.apiKey)
  await vi.waitFor(() => expect(said()).toContain('The bot is running.'), { timeout: 60_000 })

  sandbox.kill('SIGINT')
  const [code] = await once(sandbox, 'exit')
  expect(code).toBe(0)
  expect(readdirSync(temporary)).toEqual([])
  await expect(fetch(address)).rejects.toThrow('fetch failed')
})

test('if a port is busy, the sandbox says so and uses another port', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const { sandbox, said, address } = await start('--port', String(port))
  expect(said()).toContain(`Port ${port} is busy`)
  expect(new URL(address).port).not.toBe(String(port))
  sandbox.kill('SIGTERM')
  expect(await once(sandbox, 'exit')).toEqual([0, null])
})

test('the sandbox without a bot prints the settings for a bot that is started by hand', async () => {
  const { sandbox, said, address } = await start('--no-bot', '--port', '0')
  const settings = parseEnv(said())
  const state = async () => TelegramState.parse(await (await fetch(`${address}_sim/state`)).json())
  expect(await state()).toMatchObject({ isBotConnected: false })

  const folder = mkdtempSync(join(tmpdir(), 'bot-by-hand-'))
  const bot = spawn(process.execPath, [join(main, '../../main.ts')], {
    cwd: folder,
    env: {
      ...settings,
      PORT: '0',
      CREDENTIALS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATABASE_URL: `file:${folder}/bot.db`,
    },
    stdio: 'ignore',
  })
  onTestFinished(() => {
    bot.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const { people } = await state()
  const operator = people.find(({ id }) => String(id) === settings.OWNER_IDS)
  expect(operator?.role).toBe('operator')
  await vi.waitFor(async () => expect(await state()).toMatchObject({ isBotConnected: true }), {
    timeout: 60_000,
  })
  sandbox.kill('SIGINT')
  expect(await once(sandbox, 'exit')).toEqual([0, null])
})

test('npm run sandbox names a mistake in its options and points to --help', async () => {
  const { sandbox, said } = launch('--prot', '7070')
  expect(await once(sandbox, 'close')).toEqual([1, null])
  expect(said()).toContain('--prot')
  expect(said()).toContain('npm run sandbox -- --help shows the options.')
})

async function start(...args: string[]) {
  const { sandbox, said } = launch(...args)
  const address = await vi.waitFor(
    () => {
      const found = /open (http:\S+)/.exec(said())?.[1]
      if (!found) throw new Error(`No address yet: ${said()}`)
      return found
    },
    { timeout: 60_000 },
  )
  return { sandbox, said, address }
}

function launch(...args: string[]): { sandbox: ChildProcess; said: () => string } {
  const sandbox = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void sandbox.kill('SIGKILL'))
  let text = ''
  for (const stream of [sandbox.stdout, sandbox.stderr]) stream?.on('data', (part) => (text += part))
  return { sandbox, said: () => text }
}
