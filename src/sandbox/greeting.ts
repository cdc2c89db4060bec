/** What a person in front of the terminal has to know of the simulators. */
interface Seen {
  telegram: { url: string; token: string; pageUrl: string }
  provider: { url: string }
  /** The account at the provider that the reseller is offered. */
  account: { apiKey: string; apiSecret: string }
}

const credentials = ({ account: { apiKey, apiSecret } }: Seen): string => `    API key     ${apiKey}
    API secret  ${apiSecret}
  (the page puts both into the text field for you).`

/** @param keptIn the folder with the bot's data; null where nothing is kept */
export const greeting = (seen: Seen & { keptIn: string | null }): string => `
  Bundlegram sandbox: open ${seen.telegram.pageUrl}

  You are a reseller there. Press Start, send /connect, and when the bot asks, send
${credentials(seen)}

  Telegram, the provider and its money are simulated on this machine.${seen.keptIn === null ? '' : `\n  The bot's data stays in ${seen.keptIn}`}
  Ctrl-C ends everything.
`

/** The settings stand at the beginning of their lines, so that they can be copied as they are. */
export const greetingWithoutBot = (seen: Seen & { operatorId: number | undefined }): string => `
  Bundlegram sandbox without a bot: open ${seen.telegram.pageUrl}

  For the bot that you start yourself, put these lines at the end of its .env:

TELEGRAM_API_ROOT=${seen.telegram.url}
TELEGRAM_BOT_TOKEN=${seen.telegram.token}
BUNDLE_API_URL=${seen.provider.url}
OWNER_IDS=${seen.operatorId ?? ''}

  Then run the commands as README.md has them: npm run doctor, npm start, npm run backup …
  On the page you are the reseller and the operator. Press Start, send /connect, then send
${credentials(seen)}

  Telegram, the provider and its money are simulated on this machine, and begin anew each time.
  Ctrl-C ends both.
`
