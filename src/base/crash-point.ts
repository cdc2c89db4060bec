/**
 * The moments at which a crash would do most harm. Most lie between two steps that belong together but cannot share
 * a transaction. Tests crash the process there; in production these points do nothing.
 */
export type CrashPoint =
  /** A confirmed order is about to be sent, but the database still says `queued`. */
  | 'before_intent'
  /** `sending` is committed, but no byte has been sent. */
  | 'intent_committed'
  /** The connection is open, and the request is written in this turn of the event loop. */
  | 'first_byte'
  /** The provider has debited the wallet and answered, but the answer has not been processed. */
  | 'answered'
  /**
   * The transaction that records the answer has changed the order, but not queued its notices, and is not committed.
   */
  | 'answer_half_written'
  /** The answer and its notices are committed, but no notice has been sent. */
  | 'answer_committed'
  /** The wallet was read for an order of unknown outcome, but the result has not been used. */
  | 'wallet_read'
  /** Callbacks are committed, but the provider has not got its 200. */
  | 'callbacks_committed'
  /** Telegram has accepted a notice that is still queued. */
  | 'notice_accepted'
  /** Telegram has accepted an alert whose message id is not stored yet. */
  | 'alert_accepted'
  /** Somebody has become an agent by an invitation, but nobody has been told. */
  | 'invitation_accepted'
  /** A repeated order was confirmed because of the person's setting, but no card shows it. */
  | 'repeat_confirmed'
  /** News that quiet hours held back has become a digest, which has not been sent. */
  | 'digest_made'
  /** Somebody's own data is deleted. Their orders are not erased yet, and they have not been told. */
  | 'person_forgotten'
  /** An operator has paused or resumed all orders, but has not got the answer. */
  | 'maintenance_switched'
  /** A start has migrated the database, but not yet dealt with what the last process left. */
  | 'migrated'
  /** A start on a restored copy has taken the orders out of the queue, but not committed. */
  | 'restoring'
  /** The credentials of one account are sealed with the new key, those of the next one are not. */
  | 'account_resealed'
  /** All rows of a database move are in the target, but neither compared nor committed. */
  | 'rows_copied'
  /** The source of a database move is marked as moved, so that no bot starts on it, but the target is not committed. */
  | 'source_moved'
  /** The target of a database move is committed, but the source is not marked as finished. */
  | 'target_filled'

let listener: ((point: CrashPoint) => void) | undefined

/** Does nothing unless a test listens. */
export const crashPoint = (point: CrashPoint): void => listener?.(point)

/** Replaces any earlier listener. */
export const onCrashPoint = (listen: (point: CrashPoint) => void): void => {
  listener = listen
}
