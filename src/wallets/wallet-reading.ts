import type { Debit } from '../domain/debits/matching.ts'
import type { NamedDebit } from '../domain/debits/overcharge.ts'
import type { Transaction } from '../provider/index.ts'
import { type Pesewas, plus, zero } from '../provider/money.ts'
import { type ReadPage, readPages } from './reader.ts'
import { entryKey, newHistory, nextPage, reachedMs, type WalletHistory } from './wallet-history.ts'

/** A read of a wallet that keeps its entries and can be continued after a pause. */
export interface WalletReading {
  readonly beganAt: Date
  history: WalletHistory
  /** The entries by key, as last read. Two debits with the same reference are two entries. */
  entries: Map<string, Transaction>
}

export const newReading = (beganAt: Date): WalletReading => ({
  beganAt,
  history: newHistory(),
  entries: new Map(),
})

/** The entries of a wallet that were read so far. */
export interface WalletEntries {
  beganAt: Date
  /** Newest first. Of several with the same reference, only the earliest. */
  debits: Debit[]
  /** All debits, by reference. */
  charges: Map<string, NamedDebit[]>
  /** The sum of the credits, by order reference. */
  credits: Map<string, Pesewas>
  /**
   * The time (epoch ms, by the provider's clock) after which every entry was read and understood. −∞ if all entries
   * were; +∞ if the read proves nothing.
   */
  reachedMs: number
  /** Whether the read stopped before its end but can be continued. */
  isUnfinished: boolean
  requests: number
}

/**
 * Starts or continues a read back to `sinceMs`, and keeps the entries.
 * @param isEnough asked after each page; true stops the read, which can be continued later
 */
export const readOn = async (
  { history, entries }: WalletReading,
  readPage: ReadPage,
  sinceMs: number,
  isEnough = () => false,
): Promise<void> => {
  for await (const page of readPages(history, readPage, sinceMs)) {
    for (const entry of page.entries) entries.set(entryKey(entry), entry)
    if (isEnough()) return
  }
}

const maxPages = 50

/**
 * Reads back to `sinceMs`, in one call or several. An entry that cannot be understood stops the read, which then
 * proves nothing.
 */
export const readEntries = async (
  reading: WalletReading,
  readPage: ReadPage,
  sinceMs: number,
): Promise<WalletEntries> => {
  const { beganAt, history } = reading
  const before = history.requests
  const isEnough = () => history.requests === before + maxPages || history.unreadable > 0
  await readOn(reading, readPage, sinceMs, isEnough)
  const debits = debitsOf(reading).toSorted((a, b) => timeOf(b) - timeOf(a))
  return {
    beganAt,
    debits: earliestOfEach(debits).map(debitOf),
    charges: Map.groupBy(debits.map(namedDebitOf), ({ reference }) => reference ?? ''),
    credits: sumsByReference([...reading.entries.values()].filter(({ type }) => type === 'credit')),
    reachedMs: reachedMs(history),
    isUnfinished: nextPage(history, sinceMs) !== null && history.unreadable === 0,
    requests: history.requests,
  }
}

/** In the order in which they were found. */
export const debitsOf = ({ entries }: WalletReading): Transaction[] =>
  [...entries.values()].filter(({ type }) => type === 'debit')

/** An entry without a time counts as the newest. */
const timeOf = ({ createdAt }: Transaction): number => createdAt?.getTime() ?? Number.MAX_SAFE_INTEGER

/** @param newestFirst debits, newest first; the result has the same order */
const earliestOfEach = (newestFirst: Transaction[]): Transaction[] => {
  const earliest = new Map(newestFirst.map((entry) => [entry.reference, entry]))
  return newestFirst.filter((entry) => entry.reference === null || earliest.get(entry.reference) === entry)
}

/** Converts a debit into the form that is matched with orders. */
export const debitOf = (entry: Transaction): Debit => ({
  reference: entry.reference,
  amountPesewas: entry.amountPesewas,
  description: entry.description,
  createdAtMs: entry.createdAt?.getTime() ?? null,
})

/** Converts a debit into the form that is checked for overcharges. */
export const namedDebitOf = (entry: Transaction): NamedDebit => ({
  key: entryKey(entry),
  reference: entry.reference,
  amountPesewas: entry.amountPesewas,
  createdAtMs: entry.createdAt?.getTime() ?? null,
})

export const sumsByReference = (entries: Iterable<Transaction>): Map<string, Pesewas> => {
  const result = new Map<string, Pesewas>()
  for (const { reference, amountPesewas } of entries) {
    if (reference !== null) result.set(reference, plus(result.get(reference) ?? zero, amountPesewas))
  }
  return result
}
