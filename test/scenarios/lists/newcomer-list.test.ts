/** @module-tag browser */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  connect,
  inLog,
  pressNewest,
  type RunningSandbox,
  root,
  say,
  startSandbox,
} from '../../support/bot/sandbox.ts'
import { launchBrowser } from '../../support/browser/browser.ts'

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

/** If the card is redrawn meanwhile, `⋯` has to be pressed again. */
const pressBehindMore = (page: Page, name: string): Promise<void> => {
  const button = page.getByTestId('log').getByRole('button', { name, exact: true }).last()
  return vi.waitFor(
    async () => {
      if (!(await button.isVisible())) await pressNewest(page, '⋯')
      await button.click({ timeout: 2_000 })
    },
    { timeout: 60_000 },
  )
}

test('a newcomer on a small phone can paste, correct and confirm a list, and download its files', async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await page.goto(sandbox.address)
  await connect(page)

  await say(page, list)
  await inLog(page, '7 lines: 2 to order · 4 to fix (2 only need an answer)')
  await pressNewest(page, /^5GB · GHS 22\.80/)
  await pressNewest(page, 'Keep one')
  await pressNewest(page, '✏️ Fix 2')
  await inLog(page, 'Send the corrected lines')
  await say(page, '4. 0241234568 2gb\n0261234567 5gb at')
  await inLog(page, '7 lines: 5 to order · 2 ignored')
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, 'list-phone.png') })

  const [reading] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    pressBehindMore(page, '📄 All lines').then(() => page.getByTestId('log').getByTestId('file').click()),
  ])
  expect(await readSheet(readFileSync(await reading.path()))).toHaveLength(8)
  await pressNewest(page, '‹ Back')
  await pressNewest(page, /^✅ Confirm 5 · GHS/)
  await inLog(page, 'List of 5 numbers')
  await page
    .getByTestId('log')
    .getByText(/[1-5] (processing|delivered)/)
    .last()
    .waitFor()
  await page
    .getByTestId('log')
    .getByText(/List of 5 numbers: done/)
    .waitFor({ timeout: 60_000 })
  await page.screenshot({ path: join(pictures, 'list-done-phone.png') })
  await pressNewest(page, '⋯')
  await inLog(page, /✅ 024.123.4567 · 5GB/)
  const [result] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    pressBehindMore(page, '📗 Excel').then(() => page.getByTestId('log').getByTestId('file').nth(1).click()),
  ])
  expect(await readSheet(readFileSync(await result.path()))).toHaveLength(6)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
}, 240_000)

const list = `Good morning boss, for today:
1. 0241234567 - 5gb
2. 0551234567 2gb
3. 0201234567 10
4. 024123456 5
5. 0261234567 3gb
0551234567 2gb`
