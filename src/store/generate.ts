import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type DatabaseKind, databaseKinds, root, schemaFor } from './schema.ts'

const outputs: Record<DatabaseKind, string> = {
  sqlite: join(import.meta.dirname, 'client'),
  postgresql: join(import.meta.dirname, 'client-postgresql'),
}

/**
 * Generates the database clients, one for each kind of database, from the one schema `prisma/schema.prisma` (run by
 * `npm ci`).
 *
 * Prisma's command line would download a schema engine before it generates, although generating does not use
 * one; with a path to any executable in `PRISMA_SCHEMA_ENGINE_BINARY` it does not, and works offline.
 */
const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js')
const folder = await mkdtemp(join(tmpdir(), 'bundlegram-schema-'))

const generate = async (kind: DatabaseKind): Promise<void> => {
  const schema = join(folder, `${kind}.prisma`)
  const content = (await schemaFor(kind)).replace(
    /(\n\s*output\s*= )"[^"]*"/,
    `$1${JSON.stringify(outputs[kind])}`,
  )
  await writeFile(schema, content)
  const command = spawn(process.execPath, [prisma, 'generate', '--schema', schema, '--no-hints'], {
    cwd: root,
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
  const said = Promise.all([text(command.stdout), text(command.stderr)])
  const [code] = await once(command, 'close')
  if (code === 0) return
  process.stderr.write((await said).join(''))
  process.exitCode = 1
}

await Promise.all(databaseKinds.map(generate))
await rm(folder, { recursive: true })
