import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../../src/base/installation.ts'

/**
 * The folder for NODE_COMPILE_CACHE. Without it, each run would spend a third of its time compiling the same modules.
 */
export const compileCache = join(packageFolder, 'node_modules/.cache/bundlegram-tests/commands')

const crashes = fileURLToPath(new URL('./crash.ts', import.meta.url))

export interface Ended {
  /** Null if a signal ended the command. */
  code: number | null
  out: string
  err: string
}

/**
 * Runs one of the operator's commands as npm does. @param crashFile the file that says where to crash, see `crash.ts`.
 */
export const runCommand = (
  command: string,
  args: string[],
  env: Record<string, string> = {},
  crashFile?: string,
  cwd = '/',
): Promise<Ended> =>
  new Promise((resolve) => {
    const script = fileURLToPath(new URL(`../../../src/commands/${command}.ts`, import.meta.url))
    const preload = crashFile === undefined ? [] : ['--import', crashes]
    const all = ['--disable-warning=ExperimentalWarning', ...preload, script, ...args]
    const environment = {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ...env,
      ...(crashFile && { CRASH_FILE: crashFile }),
    }
    const child = execFile(process.execPath, all, { env: environment, cwd }, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })
