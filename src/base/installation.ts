import { createRequire } from 'node:module'
import { basename, dirname, join, sep } from 'node:path'
import manifest from '#package.json' with { type: 'json' }

/**
 * The program runs from its sources or from a bundle (`package/bundle-program`). A bundle is a single folder with
 * all code and the files that the code reads.
 */
const isBundled = !import.meta.filename.endsWith('.ts')
const here = isBundled ? import.meta.dirname : dirname(import.meta.dirname)

export const { version } = manifest

export const packageFolder = join(here, '..')

/**
 * Whether the program is in the `node_modules` of the current folder or of one above it, where npx finds its
 * commands.
 */
const isOfProject = (): boolean => {
  const [project, ...rest] = packageFolder.split(join(sep, 'node_modules', sep))
  return rest.length > 0 && `${process.cwd()}${sep}`.startsWith(`${project}${sep}`)
}

/**
 * How a person types a command. It depends on the installation: `npm run doctor`, `npx bundlegram doctor` or
 * `bundlegram doctor`.
 */
export const commandLine = (command: string): string => {
  if (isBundled) return `${isOfProject() ? 'npx ' : ''}bundlegram ${command}`
  return command === 'start' ? 'npm start' : `npm run ${command}`
}

/** How to type a command with arguments. npm needs `--` before them. */
export const commandWith = (command: string, args: string): string =>
  `${isBundled ? commandLine(command) : `${commandLine(command)} --`} ${args}`

/** The path of a folder that the program reads. @param path from `src/`. */
export const folderPath = (path: string): string => join(here, isBundled ? basename(path) : path)

/** The path of a file of a bundled package, such as a font. @param path as for `import`. */
export const packageFile = (path: string): string =>
  isBundled ? join(here, basename(path)) : createRequire(import.meta.url).resolve(path)

/** The path of a script that runs in its own thread or process. @param path from `src/`, without its extension. */
export const scriptPath = (path: string): string =>
  isBundled ? join(here, `${basename(path)}.js`) : join(here, `${path}.ts`)
