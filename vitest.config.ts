import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { browserReporter } from './test/support/browser-reporter.ts'
import { howToGetOne, installedBrowser } from './test/support/installed-browser.ts'
import { howToGetPgbouncer, installedPgbouncer } from './test/support/installed-pgbouncer.ts'

// Node loads the tests' modules itself.
if (!process.features.typescript)
  throw new Error(
    `Node ${process.version} runs no TypeScript: start the tests by npm test, or npm run test:full.`,
  )

const hasBrowser = installedBrowser !== null
if (!hasBrowser && process.env.CI) throw new Error(`There is no browser for the tests. ${howToGetOne}`)

// Each worker loads the bot's modules: from here in half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/bundlegram-tests/workers')

/** About files of SQLite, or about what Prisma and its driver make of it. */
const ofFiles = ['test/database/{sqlite/{adapter,statements},copies/backup}.test.ts']

const onPostgresqlAlone = ['test/database/postgres/*.test.ts', 'test/scenarios/postgres-*.test.ts']

/** Those that open a store, and the bot where it is killed, cut off and lied to. */
const onPostgresql = [
  ...globSync('test/**/*.test.ts').filter((file) =>
    readFileSync(file, 'utf8').includes('support/database.ts'),
  ),
  'test/scenarios/{crashes,list-crashes,day-crashes,two-processes,restarts,postgres-*}.test.ts',
  'test/scenarios/{message-ids,faults/*}.test.ts',
]

/** They wait for bots and browsers. Begun first, they leave no core idle in the end. */
const waiting = /\/test\/(commands|package|sandbox|scenarios|security|provider\/package\.|start\.)/

/** Projects keep their order: another one needs workers of its own. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      const waits = ({ moduleId }: TestSpecification): boolean => waiting.test(moduleId)
      return [...own.filter(waits), ...own.filter((file) => !waits(file))]
    })
  }
}

const hasPostgresql = Boolean(process.env.TEST_DATABASE_URL)
if (!hasPostgresql) console.warn('TEST_DATABASE_URL names no PostgreSQL: the tests run on SQLite alone.')

const hasPgbouncer = installedPgbouncer !== null
if (hasPostgresql && !hasPgbouncer) {
  const missing = `There is no PgBouncer for the tests. ${howToGetPgbouncer}`
  if (process.env.CI) throw new Error(missing)
  console.warn(missing)
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share their worker, which loads the bot's modules once, as Node loads them: nothing mocks a module.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    tags: [
      // Both are in the full run alone. In `npm test`, `crashes.test.ts` kills a bot around an order.
      {
        name: 'killed',
        description: 'Bots and commands that are killed, paused and doubled at one point after the other.',
      },
      { name: 'installed', description: 'Packages that are packed and installed.' },
      { name: 'pooler', description: 'PostgreSQL behind a PgBouncer.', skip: !hasPgbouncer },
      { name: 'browser', description: 'The page of the sandbox, in a browser.', skip: !hasBrowser },
    ],
    // By five files two cores are busy all the time; with more, a test waits for long while others compute.
    maxWorkers: 5,
    reporters: ['default', browserReporter],
    globalSetup: 'test/support/folders.ts',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    testTimeout: 240_000,
    // The machine that decides may be busy with others: a test that is late there is tried once more.
    retry: process.env.CI ? 1 : 0,
    // What fails everywhere for one reason need not be waited for everywhere.
    bail: process.env.CI ? 30 : 0,
    hookTimeout: 120_000,
    // As long as a busy machine may take: what is polled for comes at once, or never.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: onPostgresqlAlone,
          env: { TESTED_DATABASE: 'sqlite' },
          // The concurrent tests of one file wait as well.
          maxConcurrency: 14,
        },
      },
      ...(hasPostgresql
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgresql',
                include: onPostgresql,
                exclude: ofFiles,
                env: { TESTED_DATABASE: 'postgresql' },
                globalSetup: 'test/support/schemas.ts',
                // Of the hundred connections of a server each bot may take four.
                maxConcurrency: 4,
              },
            },
          ]
        : []),
    ],
  },
})
