import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type DatabaseKind, databaseKinds, root, schemaFor } from './schema.ts'

/**
 * Writes the database client into a folder. Prisma generates one for each kind of database; at run time they differ in
 * the class alone (which kind it asks, and by which compiler), so PostgreSQL's stands beside the other as
 * `internal/class-postgresql.ts`. Types and models are SQLite's, of which PostgreSQL's are a superset.
 */
export const generateClient = async (folder: string): Promise<void> => {
  const scratch = await mkdtemp(join(tmpdir(), 'bundlegram-client-'))
  try {
    await Promise.all(databaseKinds.map((kind) => generate(kind, join(scratch, kind))))
    await cp(join(scratch, 'sqlite', output), folder, { recursive: true })
    const postgresClass = join(scratch, 'postgresql', output, 'internal/class.ts')
    await copyFile(postgresClass, join(folder, 'internal/class-postgresql.ts'))
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** Where the schema says that the client goes. The client repeats the schema, so it must not name the scratch folder. */
const output = 'src/store/client'

/**
 * Prisma's command line would download a schema engine before it generates, although generating does not use
 * one; with a path to any executable in `PRISMA_SCHEMA_ENGINE_BINARY` it does not, and works offline.
 */
const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js')

/** @throws with what Prisma says where the schema is wrong. */
const generate = async (kind: DatabaseKind, project: string): Promise<void> => {
  const schema = join(project, 'prisma/schema.prisma')
  await mkdir(dirname(schema), { recursive: true })
  await writeFile(schema, await schemaFor(kind))
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
  if (code !== 0) throw new Error((await said).join(''))
}
