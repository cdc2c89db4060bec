import { FileFault } from '../database/database-file.ts'
import { version } from '../installation.ts'

/** A fault in the arguments of a command. */
export class Mistake extends Error {
  override name = 'Mistake'
}

/**
 * Runs an operator's command. The exit code is 0 when it has done its work, else 1, with a sentence on stderr. A fault
 * that an operator can mend shows no stack trace.
 */
export const runCommand = async (help: string, work: (args: string[]) => Promise<void>): Promise<void> => {
  // Ends by `exit`, so that half-done work is cleaned up.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${help}\n`)
    return
  }
  if (args.includes('--version')) {
    process.stdout.write(`${version}\n`)
    return
  }
  try {
    await work(args)
  } catch (error) {
    process.exitCode = 1
    if (isMistake(error)) process.stderr.write(`${error.message}\n\n${help}\n`)
    else if (error instanceof FileFault) process.stderr.write(`${error.message}\n`)
    else process.stderr.write(`${wordsOf(error)}\n`)
  }
}

/**
 * An error in words for the operator. An unplanned error shows its name, message and place, and nothing else that it
 * carries: the address of a database has a password in it.
 */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return /^[A-Z_]+: /.test(error.message) ? error.message : (error.stack ?? error.message)
}

/** Errors of `parseArgs` count as mistakes too. */
const isMistake = (error: unknown): error is Error =>
  error instanceof Mistake ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
