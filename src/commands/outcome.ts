import { version } from '../installation.ts'
import { FileFault } from '../store/database-file.ts'

/** What is wrong with the arguments of a command. */
export class Mistake extends Error {
  override name = 'Mistake'
}

/**
 * Runs an operator's command and says how it ended: 0 when it has done its work, else 1, with a sentence on stderr
 * and no stack trace for what an operator can mend.
 */
export const runCommand = async (help: string, work: (args: string[]) => Promise<void>): Promise<void> => {
  // Ends by `exit`, so that what is half done is taken away.
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
 * What the store has put in words for the operator; of what nobody planned name, message and place, and none of what
 * else an error carries: the address of a database has a password in it.
 */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return /^[A-Z_]+: /.test(error.message) ? error.message : (error.stack ?? error.message)
}

/** Also what `parseArgs` finds wrong. */
const isMistake = (error: unknown): error is Error =>
  error instanceof Mistake ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
