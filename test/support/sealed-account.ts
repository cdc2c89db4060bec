import type { Store } from '../../src/store/store.ts'
import type { Keyring } from '../../src/wallets/credentials/keyring.ts'
import { credentialPlace } from '../../src/wallets/wallets.ts'

/** Creates an account, or replaces its credentials, like `/connect` with these keys. */
export const connectAccount = async (
  store: Store,
  keyring: Keyring,
  id: string,
  words = '',
  key = `key of ${id}`,
): Promise<void> => {
  const sealed = {
    keyHash: keyring.lookupHashes(key)[0] ?? '',
    sealedKey: keyring.seal(key, credentialPlace(id, 'key')),
    sealedSecret: keyring.seal(
      words === '' ? `secret of ${id}` : `${words} secret`,
      credentialPlace(id, 'secret'),
    ),
  }
  if (await store.accounts.byId(id)) await store.accounts.replaceCredentials(id, sealed)
  else await store.accounts.insert({ id, ...sealed, accountType: null, now: new Date() })
}
