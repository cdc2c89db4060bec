import type { Logger } from 'pino'
import { NoWallet, type Wallets } from '../accounts/wallets.ts'
import { accountHash } from '../log.ts'
import { ProviderError, type Transaction } from '../provider/index.ts'
import { auditOf, type UnknownDebit } from '../relay/notice.ts'
import type { Audited } from '../store/copies.ts'
import type { Restored } from '../store/stamp.ts'
import type { Queries, Store } from '../store/store.ts'
import { mayBelong } from './matching.ts'
import { claimantOf } from './proof.ts'
import { createProviderClock } from './provider-clock.ts'
import { debitsShowWithinMs, measuredToleranceMs, unmeasuredToleranceMs, watchEndsMs } from './settling.ts'
import { debitOf } from './wallet-entries.ts'
import {
  historyEntriesPerPage,
  newHistory,
  nextPage,
  takePage,
  type WalletHistory,
} from './wallet-history.ts'

/**
 * Tells the owners of each account what its wallet was charged for between the making of the copy that the bot was
 * restored from and its restart, as far as no order of the bot explains it.
 *
 * A debit that an order of unknown outcome may claim is left to that order until it is settled. What is certain is
 * told at once; a last read, begun ten minutes after the restart, finds what showed late, and ends it.
 */
interface Auditor {
  round(): Promise<void>
}

interface AuditorOptions {
  store: Store
  wallets: Wallets
  /** Settles what can be settled of the account's orders. @throws {ProviderError | NoWallet} */
  check: (accountId: string) => Promise<void>
  now: () => Date
  log: Logger
  onNotice: () => void
}

const minute = 60_000
/** A read that failed is gone on with after this. */
const failedAgainMs = minute
/** A wallet from which orders may still claim a debit is read again after this. */
const unsettledAgainMs = 2 * minute
/** A wallet with entries that cannot be understood is read again after this, for a day. */
const unreadableAgainMs = 15 * minute
const accountsAtOnce = 8
/** The further pages of a longer wallet leave room for all else in the budget. */
const usualPages = 5
/** As many debits are told in one message; the others are counted. */
const mostTold = 12

interface Progress {
  /** When it failed: by a clock that was set back since, it is waited for no longer. */
  failedAt: Date
  notBefore: Date
  history: WalletHistory | null
}

/** What was read of a wallet, and how far the provider's clock may be from ours then (ms, its less ours). */
interface Reading {
  history: WalletHistory
  offsets: readonly number[]
}

export const createAuditor = (options: AuditorOptions): Auditor => {
  const { store, now, log } = options
  const progress = new Map<string, Progress>()
  const clock = createProviderClock(options)

  const auditOne = async (account: Audited, restored: Restored): Promise<void> => {
    const known = progress.get(account.id) ?? { failedAt: new Date(0), notBefore: new Date(0), history: null }
    progress.set(account.id, known)
    try {
      if (known.history === null) await options.check(account.id)
      known.history ??= newHistory(now())
      const { history } = known
      await readOn(options, account, { history, offsets: await clock.measure(account.id, 'settling') })
      const debits = [...history.debits.values()].map(debitOf)
      const reading = { history, offsets: await clock.learn(account.id, debits) }
      known.notBefore = (await conclude(options, account, restored, reading)) ?? known.notBefore
      known.history = null
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

/** Reads until the wallet was read back to the time in question, from where it stopped. */
const readOn = async (
  { wallets }: AuditorOptions,
  { id, since }: Audited,
  { history, offsets }: Reading,
): Promise<void> => {
  const sinceMs = since.getTime() - unmeasuredToleranceMs + Math.min(0, ...offsets)
  const next = () => nextPage(history, sinceMs)
  for (let page = next(); page !== null; page = next()) {
    const current = page
    const purpose = history.requests < usualPages ? 'settling' : 'reading'
    const answer = await wallets.ask(id, purpose, (provider) =>
      provider.transactions({ page: current, perPage: historyEntriesPerPage }),
    )
    takePage(history, page, answer)
  }
}

/** Reports what is found, and ends the audit where nothing more can be. @returns when to read again, or null. */
const conclude = async (
  { store, now, log, onNotice }: AuditorOptions,
  account: Audited,
  restored: Restored,
  reading: Reading,
): Promise<Date | null> => {
  const at = now()
  const { next, found } = await store.transaction(async (tx) => {
    const { debits, waits } = await findings(tx, account, restored, reading)
    const told = await tx.copies.reported(account.id)
    const news = debits.filter((entry) => !told.includes(nameOf(entry, debits)))
    if (news.length > 0) await report(tx, account, news, at)
    const next = nextRead(restored, reading.history, waits, at)
    if (next === null) await tx.copies.endAudit(account.id)
    else
      await tx.copies.rememberReported(account.id, [...told, ...news.map((entry) => nameOf(entry, debits))])
    return { next, found: news.length }
  })
  const words = 'charged since the backup, and in no books here'
  if (found > 0) log.warn({ account: accountHash(account.id), debits: found }, words)
  onNotice()
  return next
}

/** The debits of the time in question that no order holds, and whether there are orders that may yet claim some. */
const findings = async (
  tx: Queries,
  account: Audited,
  restored: Restored,
  { history, offsets }: Reading,
): Promise<{ debits: Transaction[]; waits: boolean }> => {
  const inTime = [...history.debits.values()].filter((entry) =>
    isBetween(account.since, restored.at, entry, offsets),
  )
  const held = await tx.orders.heldReferences(inTime.flatMap(({ reference }) => reference ?? []))
  const claimants = (await tx.orders.claimants(account.id))
    .filter(({ placement }) => placement === 'sending' || placement === 'unconfirmed')
    .map((order) => claimantOf(order))
  const isFree = (entry: Transaction): boolean =>
    !held.has(entry.reference ?? '') && !claimants.some((claimant) => mayBelong(claimant, debitOf(entry)))
  return { debits: inTime.filter(isFree), waits: claimants.length > 0 }
}

/** What tells a debit from others: its reference, its id where it has none, and both from the second one on. */
const nameOf = (entry: Transaction, debits: readonly Transaction[]): string => {
  const { id, reference } = entry
  if (reference === null) return `#${id}`
  const [first] = debits.filter((other) => other.reference === reference).toSorted(byAge)
  return first === entry ? reference : `${reference}#${id}`
}

/** An entry without a time may be of that one: better told without need than not told. */
const isBetween = (from: Date, to: Date, { createdAt }: Transaction, offsets: readonly number[]): boolean => {
  if (createdAt === null) return true
  const toleranceMs = offsets.length === 0 ? unmeasuredToleranceMs : measuredToleranceMs
  return (offsets.length === 0 ? [0] : offsets).some((offset) => {
    const time = createdAt.getTime() - offset
    return time >= from.getTime() - toleranceMs && time <= to.getTime() + toleranceMs
  })
}

const nextRead = (restored: Restored, history: WalletHistory, waits: boolean, at: Date): Date | null => {
  const shownMs = restored.at.getTime() + debitsShowWithinMs
  const after = (ms: number) => new Date(at.getTime() + ms)
  if (history.beganAt.getTime() < shownMs) return new Date(Math.max(shownMs, at.getTime()))
  if (waits) return after(unsettledAgainMs)
  const isOver = history.beganAt.getTime() - restored.at.getTime() >= watchEndsMs
  return history.unreadable > 0 && !isOver ? after(unreadableAgainMs) : null
}

/** One message to each owner. */
const report = async (
  tx: Queries,
  { id, since }: Audited,
  entries: Transaction[],
  at: Date,
): Promise<void> => {
  const oldestFirst = entries.toSorted(byAge)
  const debits: UnknownDebit[] = oldestFirst.slice(0, mostTold).map((entry) => ({
    atMs: entry.createdAt?.getTime() ?? null,
    amountPesewas: entry.amountPesewas,
    description: entry.description,
    reference: entry.reference,
  }))
  const notice = auditOf(id, { sinceMs: since.getTime(), debits, more: entries.length - debits.length })
  for (const { role, chatId } of await tx.accounts.members(id)) {
    if (role === 'owner') await tx.notices.owe(chatId, notice, at)
  }
}

const byAge = (a: Transaction, b: Transaction): number => timeOf(a) - timeOf(b) || numberOf(a) - numberOf(b)

const timeOf = ({ createdAt }: Transaction): number => createdAt?.getTime() ?? 0

/** Entries of one second come in the order of their numbers, where they have any. */
const numberOf = ({ id }: Transaction): number => (typeof id === 'number' ? id : 0)
