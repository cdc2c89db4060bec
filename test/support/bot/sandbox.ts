import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { copyKey, sendSecret } from '../../../src/telegram/features/connecting/words.ts'

export const root = join(import.meta.dirname, '../../..')

/** The sandbox, started with one command like a newcomer does. */
export interface RunningSandbox {
  address: string
  stop(): Promise<void>
}

export const startSandbox = async (): Promise<RunningSandbox> => {
  let said = ''
  const sandbox: ChildProcess = spawn('npm', ['run', 'sandbox', '--', '--port', '0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [sandbox.stdout, sandbox.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  const stop = async () => {
    if (sandbox.exitCode !== null) return
    const exited = once(sandbox, 'exit')
    sandbox.kill('SIGTERM')
    await exited
  }
  const address = await vi.waitFor(() => {
    const found = /open (http:\S+)[\s\S]*The bot is running/.exec(said)?.[1]
    if (!found) throw new Error(`The sandbox is not running yet: ${said}`)
    return found
  }, 90_000)
  return { address, stop }
}

/** Sends a message on the page. */
export const say = async (page: Page, text: string) => {
  await page.getByTestId('composer').fill(text)
  await page.getByTestId('send').click()
}

export const inLog = (page: Page, text: string | RegExp) =>
  page.getByTestId('log').getByText(text).last().waitFor()

export const pressNewest = (page: Page, name: string | RegExp) =>
  page.getByTestId('log').getByRole('button', { name, exact: true }).last().click()

/** Connects with the demo credentials that the page shows. */
export const connect = async (page: Page) => {
  await page.getByTestId('start').click()
  await inLog(page, 'Bundlegram: mobile data bundles')
  await say(page, '/connect')
  await inLog(page, copyKey)
  await page.getByRole('button', { name: 'Demo API key' }).click()
  await page.getByTestId('send').click()
  await inLog(page, sendSecret)
  await page.getByRole('button', { name: 'Demo API secret' }).click()
  await page.getByTestId('send').click()
  await inLog(page, nowConnected)
}
