import { isAhead } from '../domain/times/ahead.ts'
import type { ChatStore, PendingCredential } from '../store/chats/chats.ts'
import { CannotOpen, type Keyring } from '../wallets/credentials/keyring.ts'

/**
 * The stages of typed credentials that belong to no account yet. `key`: a key waits for its secret. `checking`: a pair
 * is being checked, and a restart resumes the check. `switching`: the person is asked whether to switch to a checked
 * pair. Credentials are kept sealed for ten minutes. Credentials that were sealed for one stage cannot be opened at
 * another.
 */
export type TypedStage = 'key' | 'checking' | 'switching'

export interface Pair {
  apiKey: string
  apiSecret: string
  /** The row that the pair was read from, so that no newer row is deleted by mistake. */
  row: PendingCredential
}

export const typedCredentialsMs = 10 * 60_000

const placeOf = (chatId: number, stage: TypedStage, field: 'key' | 'secret'): string =>
  stage === 'key' ? `chat:${chatId}/key` : `chat:${chatId}/${stage}/${field}`

const opened = (keyring: Keyring, sealed: string, place: string): string | null => {
  try {
    return keyring.open(sealed, place)
  } catch (error) {
    if (error instanceof CannotOpen) return null
    throw error
  }
}

/** Stores a key, sealed, until its secret is typed. */
export const keepPendingKey = (
  chats: ChatStore,
  keyring: Keyring,
  chatId: number,
  apiKey: string,
  now: Date,
): Promise<PendingCredential> =>
  chats.keepPendingCredentials({
    chatId,
    sealedKey: keyring.seal(apiKey, placeOf(chatId, 'key', 'key')),
    sealedSecret: null,
    expiresAt: new Date(now.getTime() + typedCredentialsMs),
  })

/** The key that waits for its secret; null if there is none, or if it has expired. */
export const pendingKey = async (
  chats: ChatStore,
  keyring: Keyring,
  chatId: number,
  now: Date,
): Promise<string | null> => {
  const row = await chats.pendingCredentials(chatId)
  if (!row || !isAhead(row.expiresAt, 'typedCredentials', now)) return null
  return opened(keyring, row.sealedKey, placeOf(chatId, 'key', 'key'))
}

/** Stores a pair, sealed, until it is checked, or until the person decides whether to switch to it. */
export const keepPendingPair = (
  chats: ChatStore,
  keyring: Keyring,
  stage: 'checking' | 'switching',
  { chatId, apiKey, apiSecret }: { chatId: number; apiKey: string; apiSecret: string },
  now: Date,
): Promise<PendingCredential> =>
  chats.keepPendingCredentials({
    chatId,
    sealedKey: keyring.seal(apiKey, placeOf(chatId, stage, 'key')),
    sealedSecret: keyring.seal(apiSecret, placeOf(chatId, stage, 'secret')),
    expiresAt: new Date(now.getTime() + typedCredentialsMs),
  })

/** The pair in a row; null if the row is at another stage or was sealed with a lost master key. */
export const pairIn = (
  keyring: Keyring,
  row: PendingCredential,
  stage: 'checking' | 'switching',
): Pair | null => {
  const apiKey = opened(keyring, row.sealedKey, placeOf(row.chatId, stage, 'key'))
  const apiSecret =
    row.sealedSecret && opened(keyring, row.sealedSecret, placeOf(row.chatId, stage, 'secret'))
  return apiKey && apiSecret ? { apiKey, apiSecret, row } : null
}

/** Opens the key and secret in a row, at any stage. */
export const pendingSecrets = (keyring: Keyring, row: PendingCredential): string[] => {
  const { chatId, sealedKey, sealedSecret } = row
  const key = opened(keyring, sealedKey, placeOf(chatId, 'key', 'key'))
  const pairs = (['checking', 'switching'] as const).map((stage) => [
    opened(keyring, sealedKey, placeOf(chatId, stage, 'key')),
    sealedSecret && opened(keyring, sealedSecret, placeOf(chatId, stage, 'secret')),
  ])
  return [key, ...pairs.flat()].filter((secret) => secret !== null)
}
