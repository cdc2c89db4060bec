import { commandLine, commandWith, version } from '../base/installation.ts'

const help = `${commandWith('start', '[options]')}

Runs the bot, as the environment or .env says (.env.example names what it needs). Ctrl-C or SIGTERM
stops it in order, within 10 s.

  --help      this text
  --version   the version

See whether all that it needs is there: ${commandLine('doctor')}
Try it without an account and without money: ${commandLine('sandbox')}`

/** What to print instead of starting the bot; null if the bot is to start. */
export const answerTo = (args: readonly string[]): { words: string; exitCode: 0 | 1 } | null => {
  if (args.some((each) => each === '--help' || each === '-h')) return { words: help, exitCode: 0 }
  if (args.includes('--version')) return { words: version, exitCode: 0 }
  const [other] = args
  return other === undefined
    ? null
    : { words: `“${other}” is no option. ${commandWith('start', '--help')} shows them.`, exitCode: 1 }
}
