import { existsSync } from 'node:fs'
import { migratedSchema } from '../schema.ts'
import { writeMigrations } from './schema-diff.ts'

/**
 * `npm run migration -- NAME` compares `prisma/schema.prisma` with the schema of the last migrations and writes the
 * missing ones, one for each kind of database: `prisma/migrations/<kind>/<time>_NAME/migration.sql`. It prints the
 * scripts; read them before you commit.
 */
const [name] = process.argv.slice(2)
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write('Usage: npm run migration -- NAME, for example: npm run migration -- add_customers\n')
  process.exit(1)
}

// The first migration creates everything. Its time is `0`, as in Prisma's own first migrations.
const stamp = existsSync(migratedSchema) ? new Date().toISOString().replace(/\D/g, '').slice(0, 14) : '0'
const written = await writeMigrations(`${stamp}_${name}`)
for (const { folder, script } of written) process.stdout.write(`${folder}\n\n${script}\n`)
if (written.length === 0) process.stdout.write('The migrations are up to date with the schema.\n')
