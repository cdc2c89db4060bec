// @module-tag process
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../support/folder.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Starts the program as `npm start` does. Telegram does not answer. */
const startBot = (folder: string, port: number, more: Record<string, string> = {}) => {
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    cwd: folder,
    env: {
      TELEGRAM_BOT_TOKEN: `123456789:${'a'.repeat(35)}`,
      TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
      BUNDLE_API_URL: 'http://127.0.0.1:9/v1',
      CREDENTIALS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATABASE_URL: `file:${join(folder, 'bot.db')}`,
      PORT: String(port),
      ...more,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      said += data
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { said: () => said, ended }
}

const otherKey = { CREDENTIALS_KEY: Buffer.alloc(32, 8).toString('base64') }

test('a bot that cannot reach Telegram says so and keeps trying, and a second start names it as the port’s user', async () => {
  const [folder, port] = [await newFolder(), await freePort()]
  const bot = startBot(folder, port, { OWNER_ID: '5' })
  await vi.waitFor(
    () => {
      expect(bot.said()).toContain('Telegram cannot be reached (ECONNREFUSED). I keep trying; npm run doctor')
      expect(bot.said()).toContain('"listening"')
    },
    { timeout: 30_000, interval: 50 },
  )
  expect(bot.said()).toContain('OWNER_ID: is not a setting, but OWNER_IDS is')
  expect(bot.said()).toContain('BUNDLE_API_URL: does not end in /api/v1')

  const again = startBot(folder, port)
  expect(await again.ended).toBe(1)
  expect(again.said()).toMatch(
    new RegExp(
      `PORT: ${port} on 127.0.0.1 is in use by this bot, which is already running. Stop it first.*\\n$`,
    ),
  )
  const other = startBot(await newFolder(), port, otherKey)
  expect(await other.ended).toBe(1)
  expect(other.said()).toContain(`PORT: ${port} on 127.0.0.1 is in use by another Bundlegram bot. Choose`)
})
