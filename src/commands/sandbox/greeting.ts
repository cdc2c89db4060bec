import { commandLine } from '../../base/installation.ts'

/** The simulators' addresses and credentials, for the person in front of the terminal. */
interface Seen {
  telegram: { url: string; token: string; pageUrl: string }
  provider: { url: string }
  account: { apiKey: string; apiSecret: string }
}

const credentials = ({ account: { apiKey, apiSecret } }: Seen): string => `    API key     ${apiKey}
    API secret  ${apiSecret}
  (The page has a button that types them for you.)`

/**
 * What the sandbox prints first.
 * @param keptIn the folder with the bot's data; null if nothing is kept
 */
export const greeting = (seen: Seen & { keptIn: string | null }): string => `
  Bundlegram sandbox: open ${seen.telegram.pageUrl}

  You start as a reseller. Press Start, send /connect, and when the bot asks, send
${credentials(seen)}
  On the page you can also be the agent, the customer or the operator.

  Telegram, the provider and its money are simulated on this machine.${seen.keptIn === null ? '' : `\n  The bot's data stays in ${seen.keptIn}`}
  Press Ctrl-C to stop everything.
`

/** What the sandbox prints first with `--no-bot`. Each setting begins its line, so that it can be copied as it is. */
export const greetingWithoutBot = (seen: Seen & { operatorId: number | undefined }): string => `
  Bundlegram sandbox without a bot: open ${seen.telegram.pageUrl}

  Put these lines at the end of the .env of the bot that you start yourself:

TELEGRAM_API_ROOT=${seen.telegram.url}
TELEGRAM_BOT_TOKEN=${seen.telegram.token}
BUNDLE_API_URL=${seen.provider.url}
OWNER_IDS=${seen.operatorId ?? ''}

  Then run the commands as in README.md: ${commandLine('doctor')}, ${commandLine('start')}, ${commandLine('backup')} …
  On the page, press Start as the reseller, send /connect, then send
${credentials(seen)}
  The Operator on the page is your bot's operator: send /admin as that person.

  Telegram, the provider and its money are simulated on this machine, and start afresh each time.
  Press Ctrl-C to stop both.
`
