import type { Reporter, TestModule } from 'vitest/node'
import { howToGetOne, installedBrowser } from './installed-browser.ts'

/** Ends a run on a machine without a browser by a line that says how many tests were left out for that. */
export const browserReporter: Reporter = {
  onTestRunEnd(modules) {
    const leftOut = installedBrowser === null ? countTagged(modules) : 0
    if (leftOut > 0) console.warn(`Without a browser, ${leftOut} tests were left out. ${howToGetOne}`)
  },
}

const countTagged = (modules: readonly TestModule[]): number =>
  modules.flatMap((each) => [...each.children.allTests()]).filter(({ tags }) => tags.includes('browser'))
    .length
