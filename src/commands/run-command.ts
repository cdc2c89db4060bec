import { version } from '../base/installation.ts'
import { FileFault } from '../database/database-file.ts'

export class Mistake extends Error {
  override name = 'Mistake'
}

/**
 * Runs an operator's command. The exit code is 0 on success; otherwise it is 1, with a sentence on stderr. There is
 * no stack trace if the operator can correct the error.
 */
export const runCommand = async (help: string, work: (args: string[]) => Promise<void>): Promise<void> => {
  // A signal ends the process by `exit`, so that the `exit` handlers clean up half-done work.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  const args = process.argv.slice(2)
  const [usage] = help.split('\n', 1)
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
    if (isMistake(error)) process.stderr.write(`${error.message}\n${usage}\n--help shows the options.\n`)
    else if (error instanceof FileFault) process.stderr.write(`${error.message}\n`)
    else process.stderr.write(`${wordsOf(error)}\n`)
  }
}

/**
 * An error in words for the operator. If it is unexpected, only its message and stack are shown, because other
 * properties may contain the database's address with its password.
 */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return /^[A-Z_]+: /.test(error.message) ? error.message : (error.stack ?? error.message)
}

/** Whether the operator typed wrong arguments, for which `parseArgs` throws errors of its own. */
const isMistake = (error: unknown): error is Error =>
  error instanceof Mistake ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
