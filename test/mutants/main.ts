import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'

const usualPaths = ['src/domain', 'src/orders', 'src/lists']

const help = `npm run mutants -- [options] [path …]

Changes one operator, constant or branch of the source after the other in a copy, by StrykerJS, and runs the
tests of the same folder on each change, on SQLite. A change that no test notices has survived: it is
equivalent, or a test is missing there. A file takes minutes, a folder hours.

  path             a file or a folder below src (${usualPaths.join(' ')})
  --concurrency N  how many changes are tried at the same time (1)
  --help           this text`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '1' }, help: { type: 'boolean', short: 'h' } },
})

const mutate = async (path: string): Promise<void> => {
  const folder = /^src\/(\w+)/.exec(path)?.[1]
  if (folder === undefined || !existsSync(path))
    throw new Error(`There is no ${path}: name a path below src.`)
  await new Stryker({
    mutate: [path.endsWith('.ts') ? path : `${path}/**/*.ts`],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutants/vitest.config.ts', dir: `test/${folder}` },
    // Otherwise Stryker would rewrite `tsconfig.json` through an API that TypeScript 7 does not have.
    tsconfigFile: 'none',
    // Data and settings of a bot that was run in this folder.
    ignorePatterns: ['data', '.env'],
    cleanTempDir: 'always',
    concurrency: Number(values.concurrency),
    reporters: ['clear-text', 'progress'],
  }).runMutationTest()
}

if (values.help) process.stdout.write(`${help}\n`)
else for (const path of positionals.length > 0 ? positionals : usualPaths) await mutate(path)
