import type { AlertName } from '../../../domain/notice.ts'
import { span } from '../../words/markup.ts'

/** The line that replaces an alert's text when the trouble is over. */

const ends: Record<AlertName, string> = {
  key: 'the provider accepts your API key again.',
  balance: 'the balance isn’t below your alert any more.',
  disk: 'the database’s disk has space again. People can order and send lists.',
  database: 'the database is accepting changes again. I’m answering people’s messages.',
  updates: 'I’m getting this bot’s updates again.',
  rival:
    'no other program is reading this bot’s updates now. If it wasn’t yours, make a new token with @BotFather (/revoke).',
  renamed: 'this bot has its old name again.',
  lookups: 'the provider’s order look-up works again.',
}

export const alertOver = (name: AlertName, lastedMs: number): string =>
  `✅ Over after ${span(lastedMs)}: ${ends[name]}`
