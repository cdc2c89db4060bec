/**
 * The moments at which a crash would hurt most. Each lies between two things that belong together and that no
 * transaction can join. Tests end the process there; in production nothing listens.
 */
export type CrashPoint =
  /** A confirmed order is about to be sent, and nothing says so yet. */
  | 'before_intent'
  /** `sending` is committed, and no byte has left. */
  | 'intent_committed'
  /** The connection stands, and the request is written in this very turn of the event loop. */
  | 'first_byte'
  /** The provider has debited and answered, and nobody has looked at the answer. */
  | 'answered'
  /** The transaction of the answer has written the order, but not what the chat is owed, and is not committed. */
  | 'answer_half_written'
  /** The answer is committed with what the chat is owed, and nothing of that has gone out. */
  | 'answer_committed'
  /** The wallet's entries were read for an order of unknown outcome, and nothing was concluded from them. */
  | 'wallet_read'
  /** Callbacks are committed, and the provider has not had its 200. */
  | 'callbacks_committed'
  /** Telegram has taken a notice, which is still owed. */
  | 'notice_accepted'
  /** Telegram has taken an alert, and nothing says where it stands. */
  | 'alert_accepted'
  /** An invitation is spent and somebody is an agent by it, and nobody has been told. */
  | 'invitation_accepted'
  /** A repeat is confirmed by its person's setting, and no card shows it. */
  | 'repeat_confirmed'
  /** The news that quiet hours held back has become a digest, and none of it has been sent. */
  | 'digest_made'
  /** Somebody's data is forgotten, what their orders need is still there, and they have not been told. */
  | 'person_forgotten'
  /** An operator has paused all orders, or lets them be taken again, and has not been told. */
  | 'maintenance_switched'
  /** A bot that somebody made is in the registry, and Telegram was not asked for its token. */
  | 'bot_adopted'
  /** A start has migrated the database, and has not looked at what the last process left. */
  | 'migrated'
  /** A start on a restored copy has taken its orders out of the line, and nothing of that is committed. */
  | 'restoring'
  /** One account's credentials are sealed under the new key, and the next one's are not. */
  | 'account_resealed'
  /** All rows of a move are in its target, not yet compared, and nothing of that is committed. */
  | 'rows_copied'
  /** The source of a move refuses to start, and its target is not committed. */
  | 'source_moved'
  /** The target of a move is committed, and its source does not know. */
  | 'target_filled'

let listener: ((point: CrashPoint) => void) | undefined

/** Marks a point in the code that does the work; does nothing unless a test listens. */
export const crashPoint = (point: CrashPoint): void => listener?.(point)

/** Sets the one listener for passed points, so that tests can end the process there. */
export const onCrashPoint = (listen: (point: CrashPoint) => void): void => {
  listener = listen
}
