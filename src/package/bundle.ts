import { copyFile, cp, mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import manifest from '../../package.json' with { type: 'json' }
import { packageFolder } from '../installation.ts'

const source = join(packageFolder, 'src')

/** What is started by its path: commands, and what they start. In the bundle each is a file in its folder. */
const entries = [
  'main',
  'sandbox/main',
  'commands/backup',
  'commands/db-move',
  'commands/doctor',
  'commands/restored',
  'commands/rotate-key',
  'commands/setup',
  'pictures/renderer',
  'sandbox/tether',
  'store/quick-check',
]

const nameOf = (entry: string): string => (entry === 'sandbox/main' ? 'sandbox' : basename(entry))

/** Prisma's runtime is bundled in: its package holds the compilers of five databases, and we need two. */
const isBundledIn = (name: string): boolean => name.startsWith('@prisma/')

/** Packages that the bundle loads. */
export const externals: string[] = Object.keys(manifest.dependencies).filter((name) => !isBundledIn(name))

/**
 * Writes the program as JavaScript into a folder, which is emptied first: Node strips no types below `node_modules`.
 * It runs wherever Node finds our dependencies from there.
 */
export const bundle = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), join(source, `${entry}.ts`)])),
    platform: 'node',
    external: (id) => externals.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  await build.write({ dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js' })
  await build.close()
  await copyFile(join(source, 'package/bundlegram.js'), join(folder, 'bundlegram.js'))
  await cp(join(source, 'sandbox/page'), join(folder, 'page'), {
    recursive: true,
    filter: (file) => !file.endsWith('tsconfig.json'),
  })
  await cp(join(packageFolder, 'prisma/migrations'), join(folder, 'migrations'), {
    recursive: true,
    filter: (file) => !file.endsWith('.prisma'),
  })
}
