import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const path = '/usr/bin/chromium'

/** The system's Chromium; it asks no host but the page's. */
export const launchChromium = (): Promise<Browser> => {
  if (!existsSync(path)) throw new Error(`This test needs Chromium at ${path}: install it first.`)
  return chromium.launch({
    executablePath: path,
    args: [
      '--no-sandbox',
      '--headless',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
