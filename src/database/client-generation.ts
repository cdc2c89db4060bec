import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { packageFolder } from '../installation.ts'
import { frequentFirst } from './parameter-graph.ts'
import { type DatabaseKind, databaseKinds, schemaFor } from './schema.ts'

/**
 * Writes the database client into a folder. Prisma generates one for each kind of database; at run time they differ in
 * the class alone (which kind it asks, and by which compiler), so PostgreSQL's stands beside the other as
 * `internal/class-postgresql.ts`, and takes the schema from it. Types and models are SQLite's, of which PostgreSQL's are
 * a superset.
 */
export const generateClient = async (folder: string): Promise<void> => {
  await installPrisma()
  const scratch = await mkdtemp(join(tmpdir(), 'bundlegram-client-'))
  try {
    await Promise.all(databaseKinds.map((kind) => generate(kind, join(scratch, kind))))
    // Removed only now, so that a wrong schema leaves the old client in place.
    await rm(folder, { recursive: true, force: true })
    await cp(join(scratch, 'sqlite', output), folder, { recursive: true })
    const classOf = async (kind: DatabaseKind) =>
      withSmallGraph(
        withCompilerRead(await readFile(join(scratch, kind, output, 'internal/class.ts'), 'utf8'), kind),
      )
    const [sqlite, postgresql] = [await classOf('sqlite'), await classOf('postgresql')]
    await writeFile(join(folder, 'internal/class.ts'), withConfigExported(sqlite))
    await writeFile(join(folder, 'internal/class-postgresql.ts'), derivedClass(sqlite, postgresql))
    await Promise.all(forBrowsers.map((file) => rm(join(folder, file))))
    for (const file of globSync('**/*.ts', { cwd: folder })) await rewrite(join(folder, file), withoutLinters)
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** The client for browsers, which nothing here loads. */
const forBrowsers = ['browser.ts', 'internal/prismaNamespaceBrowser.ts']

const rewrite = async (file: string, change: (source: string) => string): Promise<void> =>
  writeFile(file, change(await readFile(file, 'utf8')))

/**
 * Without the two lines that Prisma writes for linters, which do nothing here: `biome.json` leaves the folder out. Its
 * line for the compiler stays, because some of what it writes does not pass our settings.
 */
const withoutLinters = (source: string): string =>
  replaced(source, /(?<=^\/\* !!! .*\n)(?:\/[*/] [a-z]+-.*\n){2}/m, () => '')

/** The compiler is read from its file instead of being imported. */
const withCompilerRead = (source: string, kind: DatabaseKind): string => {
  const importing = /^ {4}const \{ wasm \} = await import\(.*\n.*decodeBase64AsWasm\(wasm\)$/m
  const reading = `    const { readCompiler } = await import("../../query-compiler.ts")\n    return new WebAssembly.Module(await readCompiler("${kind}"))`
  const decoding = /^async function decodeBase64AsWasm\(.*?^\}\n\n/ms
  return replaced(
    replaced(source, importing, () => reading),
    decoding,
    () => '',
  )
}

/** The names in the graph of parameters stand in the order that takes the least memory. */
export const withSmallGraph = (source: string): string =>
  replaced(source, /^ {2}strings: JSON\.parse\((".*")\),\n {2}graph: "(.*)"$/m, (_, written, graph) => {
    const small = frequentFirst({ strings: JSON.parse(JSON.parse(written ?? '')), graph: graph ?? '' })
    const strings = JSON.stringify(JSON.stringify(small.strings))
    return `  strings: JSON.parse(${strings}),\n  graph: "${small.graph}"`
  })

const withConfigExported = (source: string): string =>
  replaced(source, /^(?=const config: )/m, () => 'export ')

/** Derives PostgreSQL's class: everything that repeats the schema comes from SQLite's class. */
const derivedClass = (sqlite: string, postgresql: string): string => {
  const sourceOf = (part: RegExp) => part.exec(sqlite)?.[0]
  const taken: [part: RegExp, from: string][] = [
    [/^config\.runtimeDataModel = .*$/m, 'config.runtimeDataModel = sqlite.runtimeDataModel'],
    [
      /^config\.parameterizationSchema = \{$.*?^\}$/ms,
      'config.parameterizationSchema = sqlite.parameterizationSchema',
    ],
    [/^export type LogOptions.*?(?=^export function )/ms, ''],
  ]
  const shorter = taken.reduce(
    (source, [part, from]) =>
      replaced(source, part, (found) => {
        if (found !== sourceOf(part)) throw new Error(`The classes differ in more than the kind: ${part}`)
        return from
      }),
    postgresql,
  )
  const schema = `sqlite.inlineSchema.replace('provider = "sqlite"', 'provider = "postgresql"')`
  const derived = replaced(shorter, /^( {2}"inlineSchema": ).*(?=,$)/m, (_, name) => name + schema)
  const imports = `import { config as sqlite, type PrismaClientConstructor } from "./class.ts"`
  return withConfigExported(replaced(derived, /^import type \* as Prisma from .*$/m, () => imports))
}

/**
 * Replaces one piece of a file. @throws if nothing matches: another version of Prisma writes it differently.
 */
const replaced = (
  source: string,
  part: RegExp,
  by: (found: string, ...groups: string[]) => string,
): string => {
  if (!part.test(source)) throw new Error(`Prisma writes no ${part} any more.`)
  return source.replace(part, by)
}

/**
 * The client's folder as named in the schema. The client repeats the schema, so it must not name the scratch folder.
 */
const output = 'src/database/client'

/**
 * Has its own package.json and lock file: Prisma's command line takes 230 MB and is needed only to change the schema.
 */
const tool = join(packageFolder, 'prisma')
const commandLine = join(tool, 'node_modules/prisma')

/** Installs the version of the command line in its lock file, unless it is there. */
const installPrisma = async (): Promise<void> => {
  const versionIn = async (folder: string): Promise<string | undefined> =>
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')).version
  const { dependencies } = JSON.parse(await readFile(join(tool, 'package.json'), 'utf8'))
  if ((await versionIn(commandLine)) === dependencies.prisma) return
  // On Windows, npm is a script that only a shell runs.
  const shell = process.platform === 'win32'
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tool, shell })
}

/** Runs Prisma's generator. @throws with Prisma's output if the schema is wrong. */
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

/** Runs a command. @throws with all its output if it fails. */
const run = async (command: string, args: string[], options: SpawnOptionsWithoutStdio): Promise<void> => {
  const child = spawn(command, args, options)
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error((await said).join(''))
}
