import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { packageFolder } from '../installation.ts'
import { type DatabaseKind, databaseKinds, schemaFor } from './schema.ts'

/**
 * Writes the database client into a folder. Prisma generates one for each kind of database; at run time they differ in
 * the class alone (which kind it asks, and by which compiler), so PostgreSQL's stands beside the other as
 * `internal/class-postgresql.ts`. Types and models are SQLite's, of which PostgreSQL's are a superset.
 */
export const generateClient = async (folder: string): Promise<void> => {
  await installPrisma()
  const scratch = await mkdtemp(join(tmpdir(), 'bundlegram-client-'))
  try {
    await Promise.all(databaseKinds.map((kind) => generate(kind, join(scratch, kind))))
    // Only now: where the schema is wrong, the client that was there stays.
    await rm(folder, { recursive: true, force: true })
    await cp(join(scratch, 'sqlite', output), folder, { recursive: true })
    const postgresClass = join(scratch, 'postgresql', output, 'internal/class.ts')
    await copyFile(postgresClass, join(folder, 'internal/class-postgresql.ts'))
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** Where the schema says that the client goes. The client repeats the schema, so it must not name the scratch folder. */
const output = 'src/store/client'

/** Has a package.json and a lock file of its own: its command line takes 230 MB, for who changes the schema alone. */
const tool = join(packageFolder, 'prisma')
const commandLine = join(tool, 'node_modules/prisma')

/** Installs the command line of the version that its lock file names, unless it is there. */
const installPrisma = async (): Promise<void> => {
  const versionIn = async (folder: string): Promise<string | undefined> =>
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')).version
  const { dependencies } = JSON.parse(await readFile(join(tool, 'package.json'), 'utf8'))
  if ((await versionIn(commandLine)) === dependencies.prisma) return
  // npm is a script that Windows runs by its shell alone.
  const shell = process.platform === 'win32'
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tool, shell })
}

/** @throws with what Prisma says where the schema is wrong. */
const generate = async (kind: DatabaseKind, project: string): Promise<void> => {
  const schema = join(project, 'prisma/schema.prisma')
  await mkdir(dirname(schema), { recursive: true })
  await writeFile(schema, await schemaFor(kind))
  const script = join(commandLine, 'build/index.js')
  await run(process.execPath, [script, 'generate', '--schema', schema, '--no-hints'], {
    cwd: packageFolder,
    env: {
      ...process.env,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
}

/** @throws with all that it says where it fails. */
const run = async (command: string, args: string[], options: SpawnOptionsWithoutStdio): Promise<void> => {
  const child = spawn(command, args, options)
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error((await said).join(''))
}
