import type { ConnectionOutcome, Left } from '../domain/notice.ts'
import type { Queries } from '../store/store.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import { noteBalance } from '../wallets/low-balance.ts'
import { endRefusalAlerts, redrawUnknown } from '../wallets/refusal.ts'
import { credentialPlace } from '../wallets/wallets.ts'
import type { Place } from './credential-check.ts'
import { type Departure, leave, reopen } from './departure.ts'
import { absorb, takeOver, tellOfOwner } from './ownership.ts'

/** A person who attaches an account in a private chat. */
export interface User {
  userId: number
  chatId: number
  /** The name that Telegram gives; null if nobody could be called by it, or a crash lost it. */
  name: string | null
}

interface Attachment {
  user: User
  pair: { apiKey: string; apiSecret: string }
  /** The place of the pair for the user; `other_account` leaves the account that they have. */
  place: Place
}

/** Owes the chat the outcome of the credentials that were typed in it. */
export const owe = (tx: Queries, chatId: number, outcome: ConnectionOutcome, at: Date): Promise<void> =>
  tx.notices.owe(chatId, { kind: 'connection', subject: 'connection', outcome }, at)

/**
 * Attaches a user as an owner to the account of a pair of credentials, and owes the notices of it. The account is made
 * if there is none. If an account to be absorbed is just sending an order, the outcome is `busy` and nothing is
 * changed.
 * @param newId the id of an account that is made.
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
    if (await isSending(tx, known.id)) return void (await owe(tx, user.chatId, { kind: 'busy' }, at))
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
  if (place.kind === 'regenerated') await takeOver(tx, accountId, user, at)
  else if (isNew) await tellOfOwner(tx, accountId, user, at)
  await owe(tx, user.chatId, { kind: 'connected', accountType, balancePesewas, left }, at)
  await noteBalance(tx, accountId, { balancePesewas, askedAt: place.askedAt, at }, accountType)
}

const seal = (keyring: Keyring, accountId: string, { apiKey, apiSecret }: Attachment['pair']) => ({
  keyHash: keyring.lookupHashes(apiKey)[0] ?? '',
  sealedKey: keyring.seal(apiKey, credentialPlace(accountId, 'key')),
  sealedSecret: keyring.seal(apiSecret, credentialPlace(accountId, 'secret')),
})

/** Whether an order is being sent: its answer would come to an account that is gone. */
const isSending = async (tx: Queries, accountId: string): Promise<boolean> =>
  (await tx.orders.underWatch(accountId)).some(({ placement }) => placement === 'sending')

/** The news of the account that was left for another; null if it went without trace. */
const leftBy = (departure: Departure): Left | null => {
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
