import type { Logger } from 'pino'
import { accountHash } from '../../base/log.ts'
import type { Restored } from '../../database/copies/copy-mark.ts'
import { mayBelong } from '../../domain/debits/matching.ts'
import { auditOf, type UnknownDebit } from '../../domain/notice.ts'
import {
  debitsShowWithinMs,
  measuredToleranceMs,
  unmeasuredToleranceMs,
  watchEndsMs,
} from '../../domain/times/reconciling-schedule.ts'
import { ProviderError, type Transaction } from '../../provider/index.ts'
import type { Audited } from '../../store/chats/copies.ts'
import type { Queries, Store } from '../../store/store.ts'
import { createProviderClock } from '../../wallets/provider-clock.ts'
import { pagesOf } from '../../wallets/reader.ts'
import { debitOf, debitsOf, newReading, readOn, type WalletReading } from '../../wallets/wallet-reading.ts'
import { NoWallet, type Wallets } from '../../wallets/wallets.ts'
import type { ChargeWatch } from './charge-watch.ts'
import { claimantOf, watchedClaimants } from './claimants.ts'

/**
 * After a start on a copy of the database, tells the owners of each account about debits that were made after the copy
 * and before the start, and that no order of the bot explains.
 *
 * A debit that may belong to an order with an unknown outcome is not reported until that order is reconciled. Other
 * debits are reported immediately. The last read begins at least ten minutes after the start, to catch debits that
 * appear late. Then the audit ends.
 */
interface Auditor {
  round(): Promise<void>
}

interface AuditorOptions {
  store: Store
  wallets: Wallets
  /** Reconciles the account's orders as far as possible. @throws {WalletError} */
  check: (accountId: string) => Promise<void>
  learnCharges: ChargeWatch['learn']
  now: () => Date
  log: Logger
  onNotice: () => void
}

const minute = 60_000
/** After a failed read, the next one is this much later, ms. */
const failedAgainMs = minute
/** While some orders still have an unknown outcome, the wallet is read again after this time, ms. */
const unsettledAgainMs = 2 * minute
/** A wallet with unreadable entries is read again after this time, ms, for a day. */
const unreadableAgainMs = 15 * minute
const accountsAtOnce = 8
/** The most debits that a message lists. It only counts the others. */
const maxTold = 12

interface AuditProgress {
  /**
   * When the last read failed. If this is in the future, the clock has been set back since, and the next read starts
   * immediately.
   */
  failedAt: Date
  notBefore: Date
  reading: WalletReading | null
}

/**
 * The entries read from a wallet, and how far (ms) the provider's clock may be ahead of ours; there may be several
 * candidates.
 */
interface Measured {
  reading: WalletReading
  offsets: readonly number[]
}

export const createAuditor = (options: AuditorOptions): Auditor => {
  const { store, now, log } = options
  const progress = new Map<string, AuditProgress>()
  const clock = createProviderClock(options)

  const auditOne = async (account: Audited, restored: Restored): Promise<void> => {
    const known = progress.get(account.id) ?? { failedAt: new Date(0), notBefore: new Date(0), reading: null }
    progress.set(account.id, known)
    try {
      if (known.reading === null) await options.check(account.id)
      known.reading ??= newReading(now())
      const { reading } = known
      await readBack(options, account, { reading, offsets: await clock.measure(account.id, 'reconciling') })
      await options.learnCharges(account.id, reading.entries.values())
      const offsets = await clock.learn(account.id, debitsOf(reading).map(debitOf))
      const next = await conclude(options, account, restored, { reading, offsets })
      known.notBefore = next ?? known.notBefore
      known.reading = null
    } catch (error) {
      if (error instanceof NoWallet) return store.copies.endAudit(account.id)
      const isRefused = error instanceof ProviderError
      const words = 'a wallet could not be read for what is missing since the backup'
      if (isRefused) log.info({ account: accountHash(account.id), code: error.code }, words)
      else log.error({ account: accountHash(account.id), err: error }, words)
      const waitMs = (isRefused && error.retryAfterMs) || 0
      known.failedAt = now()
      known.notBefore = new Date(now().getTime() + Math.max(failedAgainMs, waitMs))
    }
  }

  const isDue = ({ id }: Audited): boolean => {
    const known = progress.get(id)
    return !known || known.notBefore <= now() || known.failedAt > now()
  }

  return {
    round: async () => {
      const restored = await store.copies.restored()
      if (restored === null) return
      const due = (await store.copies.audited(now())).filter(isDue)
      for (let first = 0; first < due.length; first += accountsAtOnce) {
        const some = due.slice(first, first + accountsAtOnce)
        await Promise.all(some.map((account) => auditOne(account, restored)))
      }
    },
  }
}

/** Reads the wallet back to the time when the copy was made, continuing where an earlier read stopped. */
const readBack = async (
  { wallets }: AuditorOptions,
  { id, since }: Audited,
  { reading, offsets }: Measured,
): Promise<void> => {
  const sinceMs = since.getTime() - unmeasuredToleranceMs + Math.min(0, ...offsets)
  await readOn(reading, pagesOf(wallets, id, 'reconciling'), sinceMs)
}

/**
 * Reports the debits found, and ends the audit if no more can appear. @returns when to read again; null if the audit
 * has ended.
 */
const conclude = async (
  { store, now, log, onNotice }: AuditorOptions,
  account: Audited,
  restored: Restored,
  measured: Measured,
): Promise<Date | null> => {
  const at = now()
  const { next, found } = await store.transaction(
    async (tx) => {
      const { debits, waits } = await findings(tx, account, restored, measured)
      const told = await tx.copies.reported(account.id)
      const news = debits.filter((entry) => !told.includes(nameOf(entry, debits)))
      if (news.length > 0) await enqueueFindings(tx, account, news, at)
      const next = nextRead(restored, measured.reading, waits, at)
      if (next === null) await tx.copies.endAudit(account.id)
      else
        await tx.copies.rememberAudited(account.id, [...told, ...news.map((entry) => nameOf(entry, debits))])
      return { next, found: news.length }
    },
    { accounts: [account.id] },
  )
  const words = 'charged since the backup, and in no books here'
  if (found > 0) log.warn({ account: accountHash(account.id), debits: found }, words)
  onNotice()
  return next
}

/** The debits of the audited time that belong to no order. `waits`: some orders still have an unknown outcome. */
const findings = async (
  tx: Queries,
  account: Audited,
  restored: Restored,
  { reading, offsets }: Measured,
): Promise<{ debits: Transaction[]; waits: boolean }> => {
  const inTime = debitsOf(reading).filter((entry) => isBetween(account.since, restored.at, entry, offsets))
  const held = await tx.orders.referencesInUse(inTime.flatMap(({ reference }) => reference ?? []))
  const claimants = (await watchedClaimants(tx, account.id))
    .filter(({ placement }) => placement === 'sending' || placement === 'unconfirmed')
    .map((order) => claimantOf(order))
  const isFree = (entry: Transaction): boolean =>
    !held.has(entry.reference ?? '') && !claimants.some((claimant) => mayBelong(claimant, debitOf(entry)))
  return { debits: inTime.filter(isFree), waits: claimants.length > 0 }
}

/**
 * Identifies a debit by its reference, or by its id if it has none. If several debits share a reference, it identifies
 * the earliest; the others are identified by reference and id.
 */
const nameOf = (entry: Transaction, debits: readonly Transaction[]): string => {
  const { id, reference } = entry
  if (reference === null) return `#${id}`
  const [first] = debits.filter((other) => other.reference === reference).toSorted(byAge)
  return first === entry ? reference : `${reference}#${id}`
}

/**
 * Whether an entry may have been made between the two times. An entry without a time is included, because a needless
 * report is better than an unreported debit.
 */
const isBetween = (from: Date, to: Date, { createdAt }: Transaction, offsets: readonly number[]): boolean => {
  if (createdAt === null) return true
  const toleranceMs = offsets.length === 0 ? unmeasuredToleranceMs : measuredToleranceMs
  return (offsets.length === 0 ? [0] : offsets).some((offset) => {
    const time = createdAt.getTime() - offset
    return time >= from.getTime() - toleranceMs && time <= to.getTime() + toleranceMs
  })
}

const nextRead = (
  restored: Restored,
  { beganAt, history }: WalletReading,
  waits: boolean,
  at: Date,
): Date | null => {
  const shownMs = restored.at.getTime() + debitsShowWithinMs
  const after = (ms: number) => new Date(at.getTime() + ms)
  if (beganAt.getTime() < shownMs) return new Date(Math.max(shownMs, at.getTime()))
  if (waits) return after(unsettledAgainMs)
  const isOver = beganAt.getTime() - restored.at.getTime() >= watchEndsMs
  return history.unreadable > 0 && !isOver ? after(unreadableAgainMs) : null
}

const enqueueFindings = async (
  tx: Queries,
  { id, since }: Audited,
  entries: Transaction[],
  at: Date,
): Promise<void> => {
  const oldestFirst = entries.toSorted(byAge)
  const debits: UnknownDebit[] = oldestFirst.slice(0, maxTold).map((entry) => ({
    atMs: entry.createdAt?.getTime() ?? null,
    amountPesewas: entry.amountPesewas,
    description: entry.description,
    reference: entry.reference,
  }))
  const notice = auditOf(id, { sinceMs: since.getTime(), debits, more: entries.length - debits.length })
  for (const { role, chatId } of await tx.accounts.members(id)) {
    if (role === 'owner') await tx.notices.enqueue(chatId, notice, at)
  }
}

const byAge = (a: Transaction, b: Transaction): number => timeOf(a) - timeOf(b) || numberOf(a) - numberOf(b)

const timeOf = ({ createdAt }: Transaction): number => createdAt?.getTime() ?? 0

/** The id as a number, by which entries of the same second are sorted; 0 if it is not a number. */
const numberOf = ({ id }: Transaction): number => (typeof id === 'number' ? id : 0)
