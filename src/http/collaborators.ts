import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { CallbackLimit } from '../messaging/callback-limit.ts'
import type { Inbox } from '../messaging/inbox.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import type { MetricsRoute } from './metrics.ts'

export interface HttpOptions {
  keyring: Keyring
  inbox: Inbox
  callbackLimit: CallbackLimit
  /**
   * Handles an update in webhook mode; null if updates come by polling. `retry`: the update was not accepted, and
   * Telegram must send it again.
   */
  onUpdate: ((update: Update) => Promise<'done' | 'retry'>) | null
  /** Why Telegram cannot be used, for the body of `/readyz`; null if it can. */
  telegramTrouble: () => string | null
  now: () => Date
  log: Logger
  /** The parts that are not ready yet. */
  notReady: () => Promise<string[]>
  /**
   * What the body of `/readyz` says if the disk is too full for new orders; null if it is not. Callbacks are still
   * accepted.
   */
  diskTrouble: () => string | null
  /** Why the database cannot be written, for the body of `/readyz`; null if it can. */
  databaseTrouble: () => string | null
  /** Null if `/metrics` is not served on this port. */
  metrics: MetricsRoute | null
}
