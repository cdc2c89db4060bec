import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../../../src/base/installation.ts'

const cache = join(packageFolder, 'node_modules/.cache/bundlegram-tests')

export interface BundledBot {
  program: string
  /** `main.ts`, in the same bundle. */
  main: string
  /** The folder for NODE_COMPILE_CACHE. Kept with the bundle, so that a bot starts in half the time. */
  compileCache: string
}

/**
 * `bot-program.ts` bundled with everything that it imports. Made when first needed, and again when a source file has
 * changed.
 */
export const bundledBot = (): Promise<BundledBot> => {
  bundled ??= make()
  return bundled
}

let bundled: Promise<BundledBot> | undefined

/**
 * These packages are not bundled: one has native code, and one is optional and not installed. All others load faster
 * from the bundle.
 */
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
  const { bundle } = await import('../../../src/package/bundle-program.ts')
  await mkdir(cache, { recursive: true })
  for (const earlier of await readdir(cache)) await removeUnused(join(cache, earlier))
  const unfinished = `${folder}.${process.pid}`
  await bundle(unfinished, { bot: join(import.meta.dirname, 'bot-program.ts') }, notOfScripts)
  // Without this, Node would first parse each file as CommonJS.
  await writeFile(join(unfinished, 'package.json'), '{ "type": "module" }')
  // Another worker may have been first.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
}

/**
 * Removes a bundle that is older than a day. A newer one may be in use, or another worker may still be making it.
 */
const removeUnused = async (folder: string): Promise<void> => {
  const made = await stat(folder).catch(() => null)
  if (made && Date.now() - made.mtimeMs > 24 * 60 * 60_000) await rm(folder, { recursive: true, force: true })
}

/** Matches files that packing the API client writes, possibly during other tests. The digest leaves them out. */
const isOfPackage = /^provider(\/(dist\b.*|LICENSE))?$/

/** A digest of all sources, which changes when a file changes. */
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
