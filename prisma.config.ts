import { existsSync } from 'node:fs'
import { argv, env, execPath, loadEnvFile } from 'node:process'

if (existsSync('.env')) loadEnvFile('.env')

/**
 * Prisma downloads its schema engine before any command. These do without it, so they need no network: any program may
 * stand in its place.
 */
const withoutEngine = ['validate', 'format', 'generate', 'studio']
if (withoutEngine.some((command) => argv.includes(command))) env.PRISMA_SCHEMA_ENGINE_BINARY ??= execPath

/**
 * For Prisma's own commands, such as `npx prisma@7.10.0 validate` or `migrate status`. They look at the kind of
 * database that DATABASE_URL names; the schema that is written is SQLite's (see src/README.md). Plain, without Prisma's
 * `defineConfig`, since its command line is not among the root's packages.
 */
const url = env.DATABASE_URL ?? 'file:./data/bundlegram.db'
const isSqlite = url.startsWith('file:')

export default {
  schema: isSqlite ? 'prisma/schema.prisma' : 'prisma/migrations/postgresql/schema.prisma',
  migrations: { path: isSqlite ? 'prisma/migrations/sqlite' : 'prisma/migrations/postgresql' },
  datasource: { url },
}
