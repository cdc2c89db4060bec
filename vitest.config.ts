import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { browserReporter } from './test/support/browser/browser-reporter.ts'
import { howToGetOne, installedBrowser } from './test/support/browser/installed-browser.ts'
import { howToGetPgbouncer, installedPgbouncer } from './test/support/postgres/installed-pgbouncer.ts'

// Vitest does not transform modules here: Node loads the TypeScript itself.
if (!process.features.typescript)
  throw new Error(
    `Node ${process.version} runs no TypeScript: start the tests by npm test, or npm run test:full.`,
  )

const hasBrowser = installedBrowser !== null
if (!hasBrowser && process.env.CI) throw new Error(`There is no browser for the tests. ${howToGetOne}`)

// Each worker loads the bot's modules. A compile cache halves the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/bundlegram-tests/workers')

/** Tests about SQLite files, or about SQLite with Prisma and its driver. They run only on SQLite. */
const ofFiles = ['test/database/{sqlite/{adapter,statements},copies/backup}.test.ts']

const onPostgresqlAlone = ['test/database/postgres/*.test.ts', 'test/scenarios/postgres/*.test.ts']

/**
 * The tests that also run on PostgreSQL: those that open a store, those that kill the bot or break its connections, and
 * the faults around a charge, whose guarded updates PostgreSQL locks in its own way.
 */
const onPostgresql = [
  ...globSync('test/**/*.test.ts').filter((file) =>
    readFileSync(file, 'utf8').includes('support/database.ts'),
  ),
  'test/scenarios/running/{crashes,list-crashes,day-crashes,two-processes,restarts,message-ids}.test.ts',
  'test/scenarios/faults/{machines,placing,money}.test.ts',
  'test/scenarios/postgres/*.test.ts',
]

/**
 * In which order tests start: first those that wait long, for outages and restarts, then those that wait for bots and
 * browsers, then those that compute, so that no core is idle at the end.
 */
const startOrder = [
  /\/test\/scenarios\/(running|faults|postgres)\//,
  /\/test\/(commands|package|sandbox|scenarios|security|provider\/package\.|start\/main\.)/,
  /./,
]

/** Sorts the tests of each project. Projects stay together, because each needs its own workers. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    const rank = ({ moduleId }: TestSpecification): number =>
      startOrder.findIndex((each) => each.test(moduleId))
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => rank(a) - rank(b)),
    )
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
    // Test files share a worker, which loads the bot's modules once. That works because no test mocks a module.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    tags: [
      // `npm test` leaves out the first six. Of the crashes, it runs those in `crashes.test.ts`.
      {
        name: 'killed',
        description: 'Bots and commands that are killed, paused or doubled at each crash point.',
      },
      { name: 'installed', description: 'Packages that are packed and installed.' },
      {
        name: 'exhaustive',
        description: 'Every button by everybody, floods and thousands of rows: hundreds of the same.',
      },
      { name: 'process', description: 'Commands and bots in their own processes.' },
      {
        name: 'screens',
        description:
          'What people see in the whole bot, besides buying. Its rules and texts have quicker tests.',
      },
      { name: 'browser', description: 'The page of the sandbox, in a browser.', skip: !hasBrowser },
      { name: 'pooler', description: 'PostgreSQL behind a PgBouncer.', skip: !hasPgbouncer },
    ],
    // Five files keep two cores busy all the time. With more, a test waits long while others compute.
    maxWorkers: 5,
    // Shows a test's whole name, including the parts that come from a table's row.
    taskTitleValueFormatTruncate: 0,
    reporters: ['default', browserReporter],
    globalSetup: 'test/support/folders.ts',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    testTimeout: 240_000,
    // The CI machine may be busy with other work, so a test that is late there is retried once.
    retry: process.env.CI ? 1 : 0,
    // After this many failures they probably have one cause, so the run ends.
    bail: process.env.CI ? 30 : 0,
    hookTimeout: 120_000,
    // Long enough for a busy machine. On a fast one, a polled condition is true at once or never.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: onPostgresqlAlone,
          env: { TESTED_DATABASE: 'sqlite' },
          // The concurrent tests of one file mostly wait as well.
          maxConcurrency: 10,
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
                globalSetup: 'test/support/postgres/schemas.ts',
                // Each bot may take four of the server's hundred connections.
                maxConcurrency: 4,
              },
            },
          ]
        : []),
    ],
  },
})
