import { isAhead } from '../domain/ahead.ts'
import type { ChatStore, PendingCredential } from '../store/chats/chats.ts'
import { CannotOpen, type Keyring } from '../wallets/credentials/keyring.ts'

/**
 * The stages of typed credentials that belong to no account yet. `key`: a key waits for its secret. `checking`: a pair
 * is being checked, and a restart takes the check up again. `switching`: the person is asked whether to switch to a
 * checked pair. They wait sealed for ten minutes, and the stage is part of the place that they are sealed to.
 */
export type Stage = 'key' | 'checking' | 'switching'

/** A waiting pair of credentials, opened. */
export interface Pair {
  apiKey: string
  apiSecret: string
  /** The row from which it was read, so that a row typed since is not dropped in its place. */
  row: PendingCredential
}

/** How long typed credentials wait. */
export const typedCredentialsMs = 10 * 60_000

const placeOf = (chatId: number, stage: Stage, field: 'key' | 'secret'): string =>
  stage === 'key' ? `chat:${chatId}/key` : `chat:${chatId}/${stage}/${field}`

const opened = (keyring: Keyring, sealed: string, place: string): string | null => {
  try {
    return keyring.open(sealed, place)
  } catch (error) {
    if (error instanceof CannotOpen) return null
    throw error
  }
}

/** Seals a key that waits for its secret. */
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

/** The key that waits for its secret; null if there is none, or its time is over. */
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

/** Seals a pair that is to be checked, or that its owner may switch to. */
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

/** The pair in that row; null if the row is at another stage, or was sealed with a lost key. */
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

/** The secrets in that row, at whatever stage. */
export const pendingSecrets = (keyring: Keyring, row: PendingCredential): string[] => {
  const { chatId, sealedKey, sealedSecret } = row
  const key = opened(keyring, sealedKey, placeOf(chatId, 'key', 'key'))
  const pairs = (['checking', 'switching'] as const).map((stage) => [
    opened(keyring, sealedKey, placeOf(chatId, stage, 'key')),
    sealedSecret && opened(keyring, sealedSecret, placeOf(chatId, stage, 'secret')),
  ])
  return [key, ...pairs.flat()].filter((secret) => secret !== null)
}
