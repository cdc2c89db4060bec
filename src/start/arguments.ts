import { commandLine, commandWith, version } from '../base/installation.ts'

const help = `${commandWith('start', '[options]')}

Runs the bot with the settings in the environment or .env (.env.example lists them). Ctrl-C or
SIGTERM stops it cleanly within 10 s.

  --help      show this text
  --version   show the version

Check that it has everything it needs: ${commandLine('doctor')}
Try it without an account or money: ${commandLine('sandbox')}`

/** What to print instead of starting the bot; null if the bot is to start. */
export const answerTo = (args: readonly string[]): { words: string; exitCode: 0 | 1 } | null => {
  if (args.some((each) => each === '--help' || each === '-h')) return { words: help, exitCode: 0 }
  if (args.includes('--version')) return { words: version, exitCode: 0 }
  const [other] = args
  return other === undefined
    ? null
    : {
        words: `“${other}” is not an option. ${commandWith('start', '--help')} shows the options.`,
        exitCode: 1,
      }
}
