import { parseArgs } from 'node:util'
import { commandWith } from '../../base/installation.ts'

export interface SandboxOptions {
  /** The port of the chat page. If it is in use, another one is taken. */
  port: number
  /** A folder to keep after the run; null for a temporary one. */
  keep: string | null
  verbose: boolean
  /** Start only the simulators. The person starts a bot by hand. */
  noBot: boolean
}

type SandboxCommand =
  | { kind: 'run'; options: SandboxOptions }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'mistake'; sentence: string }

export const defaultPort = 7070

export const help = `${commandWith('sandbox', '[options]')}

Runs the real bot against a simulated Telegram and a simulated provider, all on this machine,
with a chat page in the browser. Nothing is sent to anybody and no money is spent.

  --port N     port of the chat page (default ${defaultPort}; if it is busy, another is taken)
  --keep DIR   keep the bot's database and its key in DIR, so that the next run knows its accounts
               and orders; the simulated Telegram and provider start afresh each time
  --no-bot     run only the two simulators, and print the lines for the .env of a bot that you start
               yourself, so you can rehearse doctor, start, backup and update without Telegram
  --verbose    show everything the bot logs, not only warnings and errors
  --help       show this text
  --version    show the version

Press Ctrl-C to stop everything.`

export function commandOf(args: string[]): SandboxCommand {
  const parsed = parse(args)
  if (typeof parsed === 'string') return { kind: 'mistake', sentence: parsed }
  if (parsed.help) return { kind: 'help' }
  if (parsed.version) return { kind: 'version' }
  const port = portOf(parsed.port)
  if (port === null) {
    return { kind: 'mistake', sentence: `--port must be a number from 0 to 65535, not ${parsed.port}` }
  }
  const { keep = null, verbose = false, 'no-bot': noBot = false } = parsed
  if (noBot && keep !== null) {
    return { kind: 'mistake', sentence: '--keep is for the sandbox’s own bot: leave it out with --no-bot' }
  }
  return { kind: 'run', options: { port, keep, verbose, noBot } }
}

/** Reads the command line. @returns the options as strings, or a sentence that says what is wrong with them */
function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string' },
        keep: { type: 'string' },
        verbose: { type: 'boolean' },
        'no-bot': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function portOf(typed: string | undefined): number | null {
  if (typed === undefined) return defaultPort
  const port = Number(typed)
  return /^\d+$/.test(typed) && port <= 65_535 ? port : null
}
