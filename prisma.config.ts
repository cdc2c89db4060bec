import { existsSync, writeFileSync } from 'node:fs'
import { argv, env, execPath, loadEnvFile } from 'node:process'
import { defineConfig } from 'prisma/config'
import { schemaFor } from './src/database/schema.ts'

if (existsSync('.env')) loadEnvFile('.env')

// These commands do not need Prisma's schema engine, which Prisma downloads before any command. Naming any program as
// the engine prevents the download.
const withoutEngine = ['validate', 'format', 'generate', 'studio']
if (withoutEngine.some((command) => argv.includes(command))) env.PRISMA_SCHEMA_ENGINE_BINARY ??= execPath

/** Prisma's commands work on the kind of database that DATABASE_URL names. */
const url = env.DATABASE_URL ?? 'file:./data/bundlegram.db'
const kind = url.startsWith('file:') || argv.includes('format') ? 'sqlite' : 'postgresql'
if (kind === 'postgresql') writeFileSync('prisma/postgresql.prisma', await schemaFor(kind))

export default defineConfig({
  schema: kind === 'sqlite' ? 'prisma/schema.prisma' : 'prisma/postgresql.prisma',
  migrations: { path: `prisma/migrations/${kind}` },
  datasource: { url },
})
