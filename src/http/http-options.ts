import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { CallbackLimit } from '../messaging/callback-limit.ts'
import type { Inbox } from '../messaging/inbox.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import type { MetricsRoute } from './metrics.ts'

/** The collaborators of the HTTP server, and the sources of its answers. */
export interface HttpOptions {
  keyring: Keyring
  inbox: Inbox
  callbackLimit: CallbackLimit
  /** Takes in an update of Telegram's webhook mode; null while updates come by polling. */
  onUpdate: ((update: Update) => Promise<'done' | 'held'>) | null
  /** Why Telegram cannot be used, for the body of `/readyz`; null while it can. */
  telegramTrouble: () => string | null
  now: () => Date
  log: Logger
  /** The parts that are not ready yet; empty if all are. */
  notReady: () => Promise<string[]>
  /** Why nothing new is taken in, for the body of `/readyz`. Callbacks still are. */
  diskTrouble: () => string | null
  /** Why the database takes no changes, for the body of `/readyz`; null while it does. */
  databaseTrouble: () => string | null
  /** Null: the figures are not on this port. */
  metrics: MetricsRoute | null
}
