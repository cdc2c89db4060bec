import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { missingMigration, readMigrations } from './migrations.ts'
import { sqliteAdapter } from './sqlite.ts'

/**
 * `npm run migration -- NAME` writes the difference between the migrations and `prisma/schema.prisma` as a new
 * migration: `prisma/migrations/sqlite/<time>_NAME/migration.sql`. It prints what it wrote; read it before you
 * commit it.
 */
const [name] = process.argv.slice(2)
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write('Usage: npm run migration -- NAME, for example: npm run migration -- add_customers\n')
  process.exit(1)
}

const script = await missingMigration(sqliteAdapter('file::memory:'))
if (script === null) {
  process.stdout.write('The migrations already say what the schema says.\n')
} else {
  const { baseDir } = await readMigrations('sqlite')
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const directory = join(baseDir, `${stamp}_${name}`)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'migration.sql'), script)
  process.stdout.write(`${directory}\n\n${script}`)
}
