import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Generates the database client from `prisma/schema.prisma` into `src/store/client/` (run by `npm ci`).
 *
 * Prisma's command line would download a schema engine before it generates, although generating does not use
 * one; with a path to any executable in `PRISMA_SCHEMA_ENGINE_BINARY` it does not, and works offline.
 */
const root = join(import.meta.dirname, '../..')
const prisma = createRequire(import.meta.url).resolve('prisma/package.json')
const result = spawnSync(
  process.execPath,
  [join(dirname(prisma), 'build/index.js'), 'generate', '--schema', 'prisma/schema.prisma', '--no-hints'],
  {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  },
)
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}${result.stderr}`)
  process.exitCode = 1
}
