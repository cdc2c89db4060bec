import type { ConnectionOutcome, LeftAccount } from '../domain/notice.ts'
import type { Queries } from '../store/store.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import { noteBalance } from '../wallets/low-balance.ts'
import { endRefusalAlerts, redrawUnknown } from '../wallets/refused-credentials.ts'
import { credentialPlace } from '../wallets/wallets.ts'
import type { Place } from './credential-check.ts'
import { type Departure, leave, reopen } from './departure.ts'
import { absorb, enqueueNewOwner, removeOtherOwners } from './ownership.ts'

export interface User {
  userId: number
  chatId: number
  /** The person's name in Telegram; null if it cannot be used as a name, or was lost in a crash. */
  name: string | null
}

interface Attachment {
  user: User
  pair: { apiKey: string; apiSecret: string }
  /**
   * How the credentials relate to the user's account. If they belong to another account, the user leaves the current
   * one.
   */
  place: Place
}

/** Queues a notice with the outcome of the credentials that were typed in the chat. */
export const enqueueOutcome = (
  tx: Queries,
  chatId: number,
  outcome: ConnectionOutcome,
  at: Date,
): Promise<void> => tx.notices.enqueue(chatId, { kind: 'connection', subject: 'connection', outcome }, at)

/**
 * Makes a user an owner of the account that a pair of credentials belongs to, and queues the notices about it. Creates
 * the account if there is none. If another account would have to be merged into this one while it is sending an order,
 * the outcome is `busy` and nothing changes.
 * @param newId makes the id of a new account.
 */
export const attach = async (
  tx: Queries,
  { user, pair, place }: Attachment,
  { keyring, newId, at }: { keyring: Keyring; newId: () => string; at: Date },
): Promise<void> => {
  const { balancePesewas, accountType } = place.balance
  const known = await tx.accounts.byKeyHash(keyring.lookupHashes(pair.apiKey))
  const same = place.kind === 'regenerated' ? place.accountId : known?.id
  if (known && same !== undefined && known.id !== same) {
    if (await isSending(tx, known.id))
      return void (await enqueueOutcome(tx, user.chatId, { kind: 'busy' }, at))
    await absorb(tx, known.id, same, user, at)
  }
  const member = await tx.accounts.member(user.userId)
  const left = member && member.accountId !== same ? leftBy(await leave(tx, member, 'done', at)) : null
  if (known && known.id === same) await reopen(tx, known, user.userId, at)
  const accountId = same ?? newId()
  const sealed = seal(keyring, accountId, pair)
  if (same) await tx.accounts.replaceCredentials(accountId, sealed)
  else await tx.accounts.insert({ id: accountId, ...sealed, accountType, now: at })
  if (same) {
    await tx.orders.reconcileNow(accountId, at)
    await redrawUnknown(tx, accountId, at)
    await endRefusalAlerts(tx, accountId, at)
  }
  const isNew = member?.accountId !== accountId || member.role !== 'owner'
  if (isNew) await tx.accounts.attach({ ...user, accountId, role: 'owner' }, at)
  if (place.kind === 'regenerated') await removeOtherOwners(tx, accountId, user, at)
  else if (isNew) await enqueueNewOwner(tx, accountId, user, at)
  await enqueueOutcome(tx, user.chatId, { kind: 'connected', accountType, balancePesewas, left }, at)
  await noteBalance(tx, accountId, { balancePesewas, askedAt: place.askedAt, at }, accountType)
}

const seal = (keyring: Keyring, accountId: string, { apiKey, apiSecret }: Attachment['pair']) => ({
  keyHash: keyring.lookupHashes(apiKey)[0] ?? '',
  sealedKey: keyring.seal(apiKey, credentialPlace(accountId, 'key')),
  sealedSecret: keyring.seal(apiSecret, credentialPlace(accountId, 'secret')),
})

/**
 * Whether the account is sending an order. If it were merged during the send, the answer to that order would find no
 * account.
 */
const isSending = async (tx: Queries, accountId: string): Promise<boolean> =>
  (await tx.orders.underWatch(accountId)).some(({ placement }) => placement === 'sending')

/** What the user is told about the account that they left for another; null if there is nothing to tell. */
const leftBy = (departure: Departure): LeftAccount | null => {
  switch (departure.kind) {
    case 'closing':
      return {
        cancelled: departure.cancelled,
        open: departure.open,
        eraseByMs: departure.eraseBy.getTime(),
      }
    case 'erased':
      return { cancelled: departure.cancelled, open: 0, eraseByMs: null }
    case 'gone':
    case 'left':
    case 'resigned':
    case 'open':
      return null
  }
}
