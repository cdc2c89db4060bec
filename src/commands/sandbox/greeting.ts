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

  You begin as a reseller. Press Start, send /connect, and when the bot asks, send
${credentials(seen)}
  On the page you can also be the agent, the customer or the operator.

  Telegram, the provider and its money are simulated on this machine.${seen.keptIn === null ? '' : `\n  The bot's data stays in ${seen.keptIn}`}
  Ctrl-C ends everything.
`

/** What the sandbox prints first with `--no-bot`. Each setting begins its line, so that it can be copied as it is. */
export const greetingWithoutBot = (seen: Seen & { operatorId: number | undefined }): string => `
  Bundlegram sandbox without a bot: open ${seen.telegram.pageUrl}

  For the bot that you start yourself, put these lines at the end of its .env:

TELEGRAM_API_ROOT=${seen.telegram.url}
TELEGRAM_BOT_TOKEN=${seen.telegram.token}
BUNDLE_API_URL=${seen.provider.url}
OWNER_IDS=${seen.operatorId ?? ''}

  Then run the commands as README.md has them: ${commandLine('doctor')}, ${commandLine('start')}, ${commandLine('backup')} …
  On the page, press Start as the reseller, send /connect, then send
${credentials(seen)}
  The Operator on the page is the operator of your bot: send /admin as them.

  Telegram, the provider and its money are simulated on this machine, and begin anew each time.
  Ctrl-C ends both.
`
