import type { CredentialStore, SealedAccount } from '../../store/accounts/credentials.ts'
import { credentialPlace } from '../wallets.ts'
import { CannotOpen, type Keyring, sealedPrefix } from './keyring.ts'

/**
 * Tries the keys on the database when the bot starts. If the keys opened nothing, people would lose access to every
 * account, and each person who connects again would get a second one.
 * @returns how many accounts are sealed under keys that are not listed
 * @throws {CannotOpen} if there are accounts and none can be opened
 */
export const checkKeys = async (credentials: CredentialStore, keyring: Keyring): Promise<number> => {
  let known = 0
  for (const keyId of keyring.keyIds) {
    const prefix = sealedPrefix(keyId)
    const samples = await credentials.beginning(prefix, sampleSize)
    if (samples.some((account) => opens(keyring, account))) known += await credentials.countBeginning(prefix)
  }
  const all = await credentials.count()
  if (all > 0 && known === 0) throw new CannotOpen()
  return all - known
}

/**
 * How many accounts of each key are tried. A single value proves nothing about the key, because it may be damaged or in
 * the wrong row.
 */
const sampleSize = 10

const opens = (keyring: Keyring, { id, sealedSecret }: SealedAccount): boolean => {
  try {
    keyring.open(sealedSecret, credentialPlace(id, 'secret'))
    return true
  } catch (error) {
    if (error instanceof CannotOpen) return false
    throw error
  }
}
