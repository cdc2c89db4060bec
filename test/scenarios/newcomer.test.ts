import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { launchChromium } from '../support/browser.ts'

const root = join(import.meta.dirname, '../..')
const pictures = join(root, 'test/pictures')

let browser: Browser
let sandbox: ChildProcess
let address = ''
let said = ''

beforeAll(async () => {
  browser = await launchChromium()
  sandbox = spawn('npm', ['run', 'sandbox', '--', '--port', '0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [sandbox.stdout, sandbox.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  address = await vi.waitFor(() => {
    const found = /open (http:\S+)[\s\S]*The bot is running/.exec(said)?.[1]
    if (!found) throw new Error(`The sandbox is not running yet: ${said}`)
    return found
  }, 240_000)
}, 240_000)

afterAll(async () => {
  await browser?.close()
  if (!sandbox || sandbox.exitCode !== null) return
  const exited = once(sandbox, 'exit')
  sandbox.kill('SIGTERM')
  await exited
})

test('a newcomer types one command, connects, buys in the page, and sees the bundle delivered', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).hostname))
  await page.goto(address)

  await page.getByTestId('start').click()
  await inLog(page, 'Bundlegram: mobile data bundles')
  await say(page, '/connect')
  await inLog(page, 'Copy the API key')
  await page.getByRole('button', { name: 'Demo API key' }).click()
  await page.getByTestId('send').click()
  await inLog(page, 'Now send the API secret')
  await page.getByRole('button', { name: 'Demo API secret' }).click()
  await page.getByTestId('send').click()
  await inLog(page, 'Connected.')
  expect(await page.getByTestId('log').textContent()).not.toContain('demo-dealer-secret')

  await say(page, '/buy')
  await pressNewest(page, 'MTN')
  await pressNewest(page, /^10GB · GHS/)
  await inLog(page, 'Send the number that gets it')
  await say(page, '024 123 4567')
  await inLog(page, 'Confirm this order?')
  await pressNewest(page, '✅ Confirm')
  await inLog(page, 'processing')
  // No hand is laid on it: the provider delivers and calls back by itself.
  await page
    .getByTestId('log')
    .getByText(/MTN 10GB for 0241234567: delivered/)
    .waitFor({ timeout: 20_000 })
  await page.getByTestId('orders').getByText('delivered').waitFor()
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, 'newcomer.png') })

  await pressNewest(page, '📤 Share')
  await inLog(page, 'For the customer')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.screenshot({ path: join(pictures, 'newcomer-phone.png') })
  expect([...hosts]).toEqual(['127.0.0.1'])
}, 240_000)

const say = async (page: Page, text: string) => {
  await page.getByTestId('composer').fill(text)
  await page.getByTestId('send').click()
}

const inLog = (page: Page, text: string) => page.getByTestId('log').getByText(text).last().waitFor()

const pressNewest = (page: Page, name: string | RegExp) =>
  page.getByTestId('log').getByRole('button', { name, exact: true }).last().click()
