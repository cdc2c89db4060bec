import { cardOf } from '../domain/notice.ts'
import { type EndlessSchedule, nextTryAt } from '../domain/times/retry-schedule.ts'
import { endAlert } from '../messaging/alerts.ts'
import type { Account } from '../store/accounts/accounts.ts'
import type { Queries } from '../store/store.ts'

/**
 * Credentials that the provider refuses (401). A single refusal may be a mistake of the provider, so a balance read
 * verifies it before anybody is warned:
 *
 * | credentials | known by | orders | owners |
 * |---|---|---|---|
 * | accepted | `unauthorizedSince` is null | are sent | |
 * | suspected | `unauthorizedSince` is set | wait | are not warned yet |
 * | refused | `refusalToldAt` is set too | need a new confirmation on a new card | are warned once |
 *
 * With suspected or refused credentials nothing is polled or reconciled. A balance read tries them again after 30 s,
 * then less and less often, in the end once an hour. Any request that succeeds marks them as accepted. Owners who were
 * warned are then told that the key works again.
 */

const verifications: EndlessSchedule = {
  growing: { share: 1, least: 30_000, most: 60 * 60_000 },
  unknownAge: 30_000,
}

/** When refused credentials are tried next. The waits double, up to an hour. */
export const nextVerification = (since: Date, now: Date): Date => nextTryAt(verifications, since, now)

/** Whether the provider has refused the credentials and a second request confirmed it. */
export const isRefused = (account: Pick<Account, 'refusalToldAt'> | null): boolean =>
  account?.refusalToldAt != null

/** Marks credentials that were refused once. A balance read will then verify the refusal. */
export const suspect = (tx: Queries, accountId: string, now: Date): Promise<boolean> =>
  tx.accounts.suspect(accountId, now)

/** Marks credentials as refused, because the balance read was refused too. */
export const refuse = async (tx: Queries, accountId: string, now: Date): Promise<void> => {
  const since = (await tx.accounts.byId(accountId))?.unauthorizedSince ?? now
  await tx.accounts.verifyAgain(accountId, nextVerification(since, now))
  if (!(await tx.accounts.markRefused(accountId, now))) return
  await enqueueForOwners(tx, accountId, 'reconnect', now)
  await redrawUnknown(tx, accountId, now)
}

/**
 * Marks credentials as accepted after a successful request.
 * @param askedAt when the request was made. If that was before the refusal, it proves nothing.
 * @returns false if they were accepted already, or the request proves nothing
 */
export const accept = async (tx: Queries, accountId: string, askedAt: Date, now: Date): Promise<boolean> => {
  const wasTold = isRefused(await tx.accounts.byId(accountId))
  if (!(await tx.accounts.markAuthorized(accountId, askedAt, now))) return false
  if (wasTold) {
    await endRefusalAlerts(tx, accountId, now)
    await enqueueForOwners(tx, accountId, 'accepted_again', now)
    await redrawUnknown(tx, accountId, now)
  }
  return true
}

const enqueueForOwners = async (
  tx: Queries,
  accountId: string,
  kind: 'reconnect' | 'accepted_again',
  now: Date,
): Promise<void> => {
  for (const { role, chatId } of await tx.accounts.members(accountId)) {
    if (role === 'owner') await tx.notices.enqueue(chatId, { kind, subject: 'account' }, now)
  }
}

/** Closes the owners' alerts about refused credentials. */
export const endRefusalAlerts = async (tx: Queries, accountId: string, now: Date): Promise<void> => {
  for (const { chatId } of await tx.accounts.members(accountId)) await endAlert(tx, chatId, 'key', now)
}

/** Redraws cards that say whether the wallet can be read. */
export const redrawUnknown = async (tx: Queries, accountId: string, now: Date): Promise<void> => {
  for (const { placement, chatId, purchaseId, listed } of await tx.orders.claimants(accountId)) {
    if (placement === 'unconfirmed') await tx.notices.enqueue(chatId, cardOf(purchaseId, listed), now)
  }
}
