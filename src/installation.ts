import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

/**
 * Where the program's own files lie: run from its sources, or bundled (`package/bundle.ts`), where all code lies in one
 * folder and what it reads beside it.
 */
const here = import.meta.dirname
const isBundled = !import.meta.filename.endsWith('.ts')

export const { version } = manifest

/** How a command is called, such as `doctor`. */
export const usage = (command: string): string => {
  if (isBundled) return `bundlegram ${command}`
  return command === 'start' ? 'npm start --' : `npm run ${command} --`
}

/** The folder of package.json. */
export const packageFolder = join(here, '..')

/** A folder that the program reads, named as in the sources. */
export const folderPath = (path: string): string => join(here, isBundled ? basename(path) : path)

/** A file of a package that is bundled in, such as a font. */
export const packageFile = (path: string): string =>
  isBundled ? join(here, basename(path)) : createRequire(import.meta.url).resolve(path)

/** A script that is started by its path, as a thread or a process of its own. @param path without its ending. */
export const scriptPath = (path: string): string =>
  isBundled ? join(here, `${basename(path)}.js`) : join(here, `${path}.ts`)
