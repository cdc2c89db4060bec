import type { Reporter, TestModule } from 'vitest/node'
import { howToGetOne, installedBrowser } from './installed-browser.ts'

/** On a machine without a browser, prints at the end how many tests were skipped for that reason. */
export const browserReporter: Reporter = {
  onTestRunEnd(modules) {
    const leftOut = installedBrowser === null ? countTagged(modules) : 0
    if (leftOut > 0) console.warn(`Without a browser, ${leftOut} tests were left out. ${howToGetOne}`)
  },
}

const countTagged = (modules: readonly TestModule[]): number =>
  modules.flatMap((each) => [...each.children.allTests()]).filter(({ tags }) => tags.includes('browser'))
    .length
