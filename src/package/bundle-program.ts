import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import manifest from '#package.json' with { type: 'json' }
import { packageFile, packageFolder } from '../base/installation.ts'
import { fontFiles } from '../pictures/theme.ts'

const source = join(packageFolder, 'src')

/**
 * Modules that are started by their path: the commands, and the scripts that they start. Each becomes a file of the
 * bundle.
 */
const entries = [
  'main',
  'application/application',
  'commands/sandbox',
  'commands/backup',
  'commands/db-move',
  'commands/doctor',
  'commands/restored',
  'commands/rotate-key',
  'commands/setup',
  'pictures/renderer',
  'commands/sandbox/tether',
  'database/quick-check',
]

/**
 * Whether the package goes into the bundle. These packages are large and we need only a small part of each: Prisma's
 * client has query compilers for five databases, the font has 60 files.
 */
const isBundledIn = (name: string): boolean => name.startsWith('@prisma/') || name === 'inter-ui'

export const dependencies = Object.fromEntries(
  Object.entries(manifest.dependencies).filter(([name]) => !isBundledIn(name)),
)

/**
 * Writes the program into a folder, which is emptied first. It is written as JavaScript, because Node does not strip
 * types in `node_modules`. The bundle runs where Node can resolve its dependencies.
 * @param more further entry points, by the name of their file in the bundle
 * @param externals packages that are not bundled
 */
export const bundle = async (
  folder: string,
  more: Record<string, string> = {},
  externals = Object.keys(dependencies),
): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const build = await rolldown({
    input: {
      ...Object.fromEntries(entries.map((entry) => [basename(entry), join(source, `${entry}.ts`)])),
      ...more,
    },
    platform: 'node',
    tsconfig: false,
    external: (id) => externals.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  const { output } = await build.write({ dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js' })
  await build.close()
  await copyBeside(folder)
  const chunks = output.filter((each) => each.type === 'chunk')
  await writeFile(join(folder, 'bundled-packages.txt'), await noticeOf(chunks))
}

/** Copies the files that the bundle's code reads, and the program `bundlegram`, which starts that code. */
const copyBeside = async (folder: string): Promise<void> => {
  const all = { recursive: true }
  const isNeeded = (file: string): boolean => !/tsconfig\.json$|\.prisma$/.test(file)
  await cp(join(source, 'sandbox/page'), join(folder, 'page'), { ...all, filter: isNeeded })
  await cp(join(packageFolder, 'prisma/migrations'), join(folder, 'migrations'), { ...all, filter: isNeeded })
  for (const file of fontFiles) await copyFile(packageFile(file), join(folder, basename(file)))
  for (const file of ['bundlegram.js', 'runtime.js'])
    await copyFile(join(source, 'package', file), join(folder, file))
  await chmod(join(folder, 'bundlegram.js'), 0o755)
}

/** The names, versions and licences of the bundled packages, which no package.json lists. */
const noticeOf = async (chunks: OutputChunk[]): Promise<string> => {
  const read = [...chunks.flatMap(({ moduleIds }) => moduleIds), ...fontFiles.map(packageFile)]
  const folders = read.flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0] ?? [],
  )
  const notices = await Promise.all([...new Set(folders)].sort().map(noticeOfPackage))
  return notices.join(`\n${'-'.repeat(80)}\n\n`)
}

const noticeOfPackage = async (folder: string): Promise<string> => {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter((each) => /^licen[cs]e/i.test(each))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version} (${license})\n`, ...texts].join('\n')
}
