import type { Account } from '../store/accounts/accounts.ts'
import type { PendingCredential } from '../store/chats/chats.ts'
import { CannotOpen, type Keyring } from '../wallets/credentials/keyring.ts'
import { credentialPlace } from '../wallets/wallets.ts'
import { pendingSecrets } from './typed-credentials.ts'
import { holdsCredential, wordsOf } from './written-secret.ts'

/**
 * Whether a text contains API credentials of the person who wrote it.
 * @param account the writer's account; null if they have none.
 * @param pending credentials that the writer has typed and that are not accepted yet; null if there are none.
 */
export const holdsOwnSecret = (
  keyring: Keyring,
  { account, pending }: { account: Account | null; pending: PendingCredential | null },
  text: string,
): boolean => {
  const own = [...(pending ? pendingSecrets(keyring, pending) : [])]
  if (account?.sealedSecret) {
    own.push(...opened(keyring, account.sealedKey, credentialPlace(account.id, 'key')))
    own.push(...opened(keyring, account.sealedSecret, credentialPlace(account.id, 'secret')))
  }
  if (own.some((credential) => holdsCredential(text, credential))) return true
  // An API key that was sealed with a lost master key cannot be decrypted, but its hash is known.
  return account !== null && wordsOf(text).some((word) => isKey(keyring, word, account.keyHash))
}

const isKey = (keyring: Keyring, word: string, keyHash: string): boolean =>
  /[a-z]/i.test(word) && word.length >= 8 && keyring.lookupHashes(word).includes(keyHash)

const opened = (keyring: Keyring, sealed: string, place: string): string[] => {
  try {
    return [keyring.open(sealed, place)]
  } catch (error) {
    if (error instanceof CannotOpen) return []
    throw error
  }
}
