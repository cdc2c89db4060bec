import { type Browser, chromium } from 'playwright-core'
import { howToGetOne, installedBrowser } from './installed-browser.ts'

/**
 * Launches the browser installed on this machine. It contacts no host except the page's. Test files that use it are
 * tagged `browser`.
 */
export const launchBrowser = (): Promise<Browser> => {
  if (installedBrowser === null) throw new Error(`There is no browser. ${howToGetOne}`)
  return chromium.launch({
    executablePath: installedBrowser,
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
