import type { Message, Update } from 'grammy/types'
import { looksLikeSecret } from '../../../accounts/written-secret.ts'

/** A message in a private chat that seems to show a credential, judged by its text alone. */
export interface ExposedSecret {
  chatId: number
  messageId: number
}

/**
 * Finds a credential in an update that no handler will see, or only later. `secret-guard.ts` finds more, but reads the
 * database.
 */
export const exposedSecretIn = ({ message, edited_message }: Update): ExposedSecret | null => {
  const sent = message ?? edited_message
  if (sent?.chat?.type !== 'private') return null
  const isShown = hasSecretBehindConnect(sent.text ?? '') || readsLikeSecret(writtenIn(sent))
  return isShown ? { chatId: sent.chat.id, messageId: sent.message_id } : null
}

/** Everything that a person can write into a message. */
export const writtenIn = ({ text, caption, contact, document, entities = [] }: Message): string =>
  [
    text,
    caption,
    contact && `${contact.first_name}\n${contact.last_name ?? ''}`,
    document?.file_name,
    ...entities.map((entity) => (entity.type === 'text_link' ? entity.url : undefined)),
  ]
    .filter((part) => part !== undefined)
    .join('\n')

/**
 * Whether a text looks like a secret. The `/start` of one of our own links does not count, although its payload is
 * random.
 */
export const readsLikeSecret = (text: string): boolean => !opensLink.test(text) && looksLikeSecret(text)

/**
 * A `/start` from one of our links. After the letter of its kind, the link carries an order's id with its
 * authentication code, or an invitation's secret.
 */
const opensLink = /^\/start(?:@\w+)?\s+(?:s[\w-]{44}|[ai][\w-]{32})\s*$/i

/** Whether a text is `/connect` followed by something. */
export const hasSecretBehindConnect = (text: string): boolean => /^\/connect(@\w+)?\s+\S/i.test(text)
