/** @module-tag browser */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asksToConfirm } from '../../src/telegram/cards/words/draft.ts'
import {
  connect,
  inLog,
  pressNewest,
  type RunningSandbox,
  root,
  say,
  startSandbox,
} from '../support/bot/sandbox.ts'
import { launchBrowser } from '../support/browser/browser.ts'

const pictures = join(root, 'test/screenshots')

let browser: Browser
let sandbox: RunningSandbox

beforeAll(async () => {
  browser = await launchBrowser()
  sandbox = await startSandbox()
}, 90_000)

afterAll(async () => {
  await browser?.close()
  await sandbox?.stop()
})

test('a newcomer connects, buys in the sandbox’s page, and sees the bundle delivered', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).hostname))
  await page.goto(sandbox.address)

  await connect(page)
  expect(await page.getByTestId('log').textContent()).not.toContain('demo-dealer-secret')

  await say(page, '/buy')
  await pressNewest(page, 'MTN')
  await pressNewest(page, /^2GB · GHS/)
  await inLog(page, 'Which number?')
  await say(page, '024 123 4567')
  await inLog(page, asksToConfirm)
  await pressNewest(page, '✅ Confirm')
  await inLog(page, 'processing')
  // The test does nothing here, because the provider delivers and sends callbacks automatically.
  await page
    .getByTestId('log')
    .getByText(/MTN 2GB for 024.123.4567: delivered/)
    .waitFor({ timeout: 20_000 })
  await page.getByTestId('orders').getByText('delivered').waitFor()
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, 'newcomer.png') })

  await pressNewest(page, '⋯')
  await pressNewest(page, '📤 Share')
  await inLog(page, 'For the customer')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.screenshot({ path: join(pictures, 'newcomer-phone.png') })
  expect([...hosts]).toEqual(['127.0.0.1'])
}, 240_000)

test('every suggestion on the sandbox’s page works: an order, lists, a reference and /admin', async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await page.goto(sandbox.address)
  const suggest = async (name: string | RegExp) => {
    await page.getByTestId('suggestions').getByRole('button', { name, exact: true }).click()
    await page.getByTestId('send').click()
  }
  await suggest(/^\d{10} 2GB$/)
  await inLog(page, asksToConfirm)
  await pressNewest(page, '✅ Confirm')
  await inLog(page, 'processing')
  await suggest('A list')
  await inLog(page, /5 lines: 5 to order/)
  await suggest('A list as customers write it')
  await inLog(page, /4 to order · 1 to fix/)
  await suggest('A list as a file')
  await inLog(page, /3 to order/)
  await page.getByTestId('person-customer').click()
  await page.getByTestId('start').click()
  await suggest(/^BUD-/)
  await inLog(page, 'MTN 2GB')
  await page.getByTestId('person-operator').click()
  await page.getByTestId('start').click()
  await suggest('/admin')
  await inLog(page, 'Control room')
}, 120_000)
