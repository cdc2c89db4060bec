import { createRequire } from 'node:module'
import { basename, join, sep } from 'node:path'
import manifest from '#package.json' with { type: 'json' }

/**
 * Where the program's own files are. The program runs from its sources or bundled (`package/bundle.ts`); a bundle has
 * all code in one folder, with the files that it reads beside it.
 */
const here = import.meta.dirname
const isBundled = !import.meta.filename.endsWith('.ts')

/** This program's version from package.json. */
export const { version } = manifest

/** The folder of package.json. */
export const packageFolder = join(here, '..')

/** Whether it is a package of the project in this folder or above, whose commands npx finds. */
const isOfProject = (): boolean => {
  const [project, ...rest] = packageFolder.split(join(sep, 'node_modules', sep))
  return rest.length > 0 && `${process.cwd()}${sep}`.startsWith(`${project}${sep}`)
}

/** A command as it is typed where this program is installed: `npm run doctor`, `npx bundlegram doctor`. */
export const commandLine = (command: string): string => {
  if (isBundled) return `${isOfProject() ? 'npx ' : ''}bundlegram ${command}`
  return command === 'start' ? 'npm start' : `npm run ${command}`
}

/** The same, to be followed by arguments: npm keeps those before its `--` for itself. */
export const commandWith = (command: string, args: string): string =>
  `${isBundled ? commandLine(command) : `${commandLine(command)} --`} ${args}`

/** A folder that the program reads, by its name in the sources. */
export const folderPath = (path: string): string => join(here, isBundled ? basename(path) : path)

/** A file of a bundled package, such as a font. */
export const packageFile = (path: string): string =>
  isBundled ? join(here, basename(path)) : createRequire(import.meta.url).resolve(path)

/** A script that runs as its own thread or process. @param path without its ending. */
export const scriptPath = (path: string): string =>
  isBundled ? join(here, `${basename(path)}.js`) : join(here, `${path}.ts`)
