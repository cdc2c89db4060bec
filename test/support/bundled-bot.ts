import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../../src/installation.ts'

const cache = join(packageFolder, 'node_modules/.cache/bundlegram-tests')

export interface BundledBot {
  program: string
  /** `main.ts`, in the same bundle. */
  main: string
  /** For NODE_COMPILE_CACHE: kept with the bundle, so that a bot starts in half the time. */
  compileCache: string
}

/** `bot-program.ts` with all that it imports, bundled: made by the first who needs it, anew when a source has changed. */
export const bundledBot = (): Promise<BundledBot> => {
  bundled ??= make()
  return bundled
}

let bundled: Promise<BundledBot> | undefined

/** A package with machine code, and one that is looked for in vain. Any other loads sooner from the bundle. */
const notOfScripts = ['@napi-rs/canvas', 'pg-native']

const make = async (): Promise<BundledBot> => {
  const name = await stateOfSources()
  const folder = join(cache, name)
  if (!existsSync(folder)) await makeIn(folder)
  return {
    program: join(folder, 'bot.js'),
    main: join(folder, 'main.js'),
    compileCache: join(folder, 'compile-cache'),
  }
}

const makeIn = async (folder: string): Promise<void> => {
  const { bundle } = await import('../../src/package/bundle.ts')
  await mkdir(cache, { recursive: true })
  for (const earlier of await readdir(cache)) await removeUnused(join(cache, earlier))
  const unfinished = `${folder}.${process.pid}`
  await bundle(unfinished, { bot: join(import.meta.dirname, 'bot-program.ts') }, notOfScripts)
  // Otherwise Node parses each file as CommonJS before it takes it for a module.
  await writeFile(join(unfinished, 'package.json'), '{ "type": "module" }')
  // Another worker may have been first.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
}

/** Bundles older than a day are of other sources. Newer ones may be in use, or another worker's, unfinished. */
const removeUnused = async (folder: string): Promise<void> => {
  const made = await stat(folder).catch(() => null)
  if (made && Date.now() - made.mtimeMs > 24 * 60 * 60_000) await rm(folder, { recursive: true, force: true })
}

/** Packing the client writes into its folder, maybe during other tests. */
const isOfPackage = /^provider(\/(dist\b.*|LICENSE))?$/

/** Another one when a file has changed. */
const stateOfSources = async (): Promise<string> => {
  const folders = ['src', 'test/support', 'prisma/migrations'].map((name) => join(packageFolder, name))
  const names = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })))
  const paths = names.flatMap((each, index) =>
    each.filter((name) => !isOfPackage.test(name)).map((name) => join(folders[index] ?? '', name)),
  )
  const hash = createHash('sha256')
  for (const path of paths.sort()) {
    const { mtimeMs, size } = await stat(path)
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}
