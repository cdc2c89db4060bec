import { GrammyError, HttpError } from 'grammy'
import type { Delivery } from '../../messaging/chat-delivery.ts'

/** What Telegram's refusal of a call means. */
export type TelegramRefusal =
  | { kind: 'not_modified' }
  | { kind: 'nothing_to_edit' }
  | { kind: 'bad_markup' }
  | { kind: 'blocked' }
  | { kind: 'flood'; retryAfterMs: number }
  | { kind: 'migrated'; to: number }
  | { kind: 'refused'; reason: string }
  /** No answer, or a server error: Telegram may have carried out the call. */
  | { kind: 'unknown'; reason: string }

/**
 * Reads why Telegram did not accept a message.
 * @throws any error that is neither Telegram's nor the connection's.
 */
export const refusalOf = (error: unknown): TelegramRefusal => {
  if (error instanceof HttpError) return { kind: 'unknown', reason: 'no answer from Telegram' }
  if (!(error instanceof GrammyError)) throw error
  const { error_code: status, description, parameters } = error
  if (parameters.migrate_to_chat_id) return { kind: 'migrated', to: parameters.migrate_to_chat_id }
  if (status === 429) return { kind: 'flood', retryAfterMs: (parameters.retry_after ?? 1) * 1000 }
  if (status === 403) return { kind: 'blocked' }
  if (status >= 500) return { kind: 'unknown', reason: description }
  if (/message is not modified/i.test(description)) return { kind: 'not_modified' }
  if (
    /message to (edit|delete) not found|message can't be (edited|deleted)|MESSAGE_ID_INVALID|no text in the message to edit/i.test(
      description,
    )
  ) {
    return { kind: 'nothing_to_edit' }
  }
  if (/can't parse entities/i.test(description)) return { kind: 'bad_markup' }
  if (/chat not found|user is deactivated|PEER_ID_INVALID/i.test(description)) return { kind: 'blocked' }
  return { kind: 'refused', reason: description }
}

/** What the outbox does after a refusal that no simpler form of the message would avoid. */
export const deliveryAfter = (refusal: TelegramRefusal): Delivery => {
  switch (refusal.kind) {
    case 'not_modified':
    case 'nothing_to_edit':
      return { kind: 'sent' }
    case 'blocked':
      return { kind: 'muted' }
    case 'flood':
      return { kind: 'later', waitMs: refusal.retryAfterMs, reason: 'flood' }
    case 'migrated':
      return { kind: 'later', waitMs: 0, reason: 'migrated' }
    case 'unknown':
      return { kind: 'later', waitMs: null, reason: refusal.reason }
    case 'bad_markup':
      return { kind: 'refused', reason: 'markup' }
    case 'refused':
      return { kind: 'refused', reason: refusal.reason }
  }
}
