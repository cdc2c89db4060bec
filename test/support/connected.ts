import { newId } from '../../src/database/id.ts'
import type { ProviderAccountState } from '../../src/sandbox/provider/index.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { credentialPlace } from '../../src/wallets/wallets.ts'
import { change } from './inside.ts'

/**
 * Makes a person the owner of a provider's account directly in the bot's database, as `/connect` leaves it.
 * @param credentialsKey the bot's `CREDENTIALS_KEY`.
 */
export const connectDirectly = (
  databaseUrl: string,
  credentialsKey: string,
  { id, first_name }: { id: number; first_name: string },
  { apiKey, apiSecret, accountType, balancePesewas }: ProviderAccountState,
): Promise<unknown> => {
  const keyring = createKeyring(credentialsKey.split(',').map((key) => Buffer.from(key.trim(), 'base64')))
  const accountId = newId()
  // In the form in which the bot's client writes times, because on SQLite they are compared as texts.
  const now = new Date().toISOString().replace('Z', '+00:00')
  const account = {
    id: accountId,
    keyHash: keyring.lookupHashes(apiKey)[0] ?? '',
    sealedKey: keyring.seal(apiKey, credentialPlace(accountId, 'key')),
    sealedSecret: keyring.seal(apiSecret, credentialPlace(accountId, 'secret')),
    accountType,
    balancePesewas,
    balanceAt: now,
    explainedPesewas: balancePesewas,
    createdAt: now,
  }
  const member = {
    userId: id,
    accountId,
    chatId: id,
    role: 'owner',
    createdAt: now,
    name: first_name,
    notifyLevel: 'problems',
  }
  return change(databaseUrl, (database) => {
    for (const [table, row] of Object.entries({ Account: account, Member: member })) {
      const columns = Object.keys(row)
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
      database.prepare(sql).run(...Object.values(row))
    }
  })
}
