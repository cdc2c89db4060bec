import fc from 'fast-check'
import type { Transaction, TransactionPage } from '../../src/provider/index.ts'
import { transactionsIn } from '../../src/provider/wallet.ts'
import { entryKey } from '../../src/wallets/wallet-history.ts'

const startMs = Date.UTC(2026, 10, 21, 10)
const timeOf = (minute: number): Date => new Date(startMs + minute * 60_000)

/** A row of the provider's answer as JSON. `minute` is its true time, which the JSON may lack. */
interface Row {
  minute: number
  json: Record<string, unknown>
}

export interface RandomLedger {
  rows: Row[]
  listed: 'newest_first' | 'oldest_first' | 'unordered'
  pageSize: number
  /** Whether answers say how many pages there are. If not, a page has as many entries as were requested. */
  hasPagination: boolean
  /**
   * Entries that appear before the request with that number. An entry is late if its minute is before the newest
   * entry's.
   */
  arrivals: { before: number; row: Row }[]
}

const row = fc
  .record({
    minute: fc.nat(6),
    id: fc.oneof(fc.nat(30), fc.nat(5).map(String), fc.constant(undefined)),
    type: fc.constantFrom('debit', 'debit', 'credit'),
    reference: fc.option(fc.nat(4).map((number) => `BUD-API-A-${number}`)),
    hasTime: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
    amount: fc.oneof({ weight: 30, arbitrary: fc.nat(50) }, fc.constant('no amount')),
  })
  .map(
    ({ minute, hasTime, id, type, reference, amount }): Row => ({
      minute,
      json: { id, type, reference, amount, created_at: hasTime ? timeOf(minute).toISOString() : null },
    }),
  )

/** The key of the row's entry. A row that cannot be understood gets a unique key. */
const keyOf = ({ json }: Row): string | symbol => {
  const [entry] = entriesIn(json)
  return entry ? entryKey(entry) : Symbol('unreadable')
}

const entriesIn = (json: Row['json']): Transaction[] =>
  transactionsIn({ transactions: [json] })?.transactions ?? []

const arrivals = (isLate: boolean): fc.Arbitrary<RandomLedger['arrivals']> =>
  fc.array(
    fc.record({ before: fc.integer({ min: 1, max: 12 }), row }).map(({ before, row: { minute, json } }) => {
      const at = isLate ? minute : newest.minute + before
      const id = json.id === undefined ? undefined : `new ${before} ${json.id}`
      const made = json.created_at === null && isLate ? null : timeOf(at).toISOString()
      return { before, row: { minute: at, json: { ...json, id, created_at: made } } }
    }),
    { maxLength: 4 },
  )

/** The entries at both ends have times, which show how a ledger is sorted. */
const end = (minute: number): Row => ({
  minute,
  json: { id: `end ${minute}`, type: 'credit', amount: 1, created_at: timeOf(minute).toISOString() },
})
const [oldest, newest] = [end(-1), end(7)]

/** @param isLate whether new entries may appear among older ones. If not, they are the newest. */
export const randomLedger = (isLate: boolean): fc.Arbitrary<RandomLedger> =>
  fc
    .record({
      rows: fc.uniqueArray(row, { maxLength: 40, selector: keyOf }),
      repeated: fc.array(fc.nat(40), { maxLength: 3 }),
      isEnded: isLate ? fc.boolean() : fc.constant(true),
      listed: fc.constantFrom('newest_first', 'oldest_first', 'unordered'),
      pageSize: fc.integer({ min: 2, max: 9 }),
      hasPagination: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
      arrivals: arrivals(isLate),
    })
    .map(({ repeated, isEnded, rows, ...ledger }) => ({
      ...ledger,
      rows: [
        ...rows.flatMap((each, index) => (repeated.includes(index) ? [each, each] : [each])),
        ...(isEnded ? [oldest, newest] : []),
      ],
      pageSize: ledger.hasPagination ? ledger.pageSize : 100,
    }))

/** A provider that lists the ledger. The ledger grows with each request. */
export const listingOf = (ledger: RandomLedger) => {
  const { listed, pageSize, hasPagination } = ledger
  let rows = sorted(ledger.rows, listed)
  let requests = 0
  const left = [...ledger.arrivals].sort((a, b) => a.before - b.before)
  const readPage = async (page: number): Promise<TransactionPage> => {
    while (left[0] && left[0].before <= requests) {
      const [{ row: arrived } = { row: null }] = left.splice(0, 1)
      if (arrived) rows = inserted(rows, arrived, listed)
    }
    requests += 1
    const transactions = rows.slice((page - 1) * pageSize, page * pageSize).map(({ json }) => json)
    const last_page = Math.max(1, Math.ceil(rows.length / pageSize))
    const pagination = { current_page: page, per_page: pageSize, total: rows.length, last_page }
    const answer = transactionsIn({ transactions, ...(hasPagination && { pagination }) })
    if (answer === null) throw new Error('The page has no list.')
    const meta = { httpStatus: 200, sentAt: timeOf(0), receivedAt: timeOf(0), serverDate: null }
    return { ...answer, meta }
  }
  return { readPage, requests: () => requests }
}

const sorted = (rows: Row[], listed: RandomLedger['listed']): Row[] => {
  if (listed === 'unordered') return rows
  const sign = listed === 'newest_first' ? -1 : 1
  return rows.toSorted((a, b) => sign * (a.minute - b.minute))
}

/** Inserts the row among entries of the same time, nearest to the newest; in an unsorted ledger, at the top. */
const inserted = (rows: Row[], row: Row, listed: RandomLedger['listed']): Row[] => {
  if (listed === 'unordered') return [row, ...rows]
  if (listed === 'oldest_first') return sorted([...rows, row], listed)
  return sorted([row, ...rows], listed)
}

/** The keys of the entries that were there when the read began and have that time or a later one, sorted. */
export const keysSince = ({ rows }: RandomLedger, sinceMs: number): string[] => {
  const inTime = rows.filter(({ minute }) => timeOf(minute).getTime() >= sinceMs)
  return [...new Set(inTime.flatMap(({ json }) => entriesIn(json).map(entryKey)))].sort()
}

/** Whether the read may reach a row that cannot be understood. */
export const hasUnreadable = ({ rows, arrivals }: RandomLedger): boolean =>
  [...rows, ...arrivals.map(({ row: arrived }) => arrived)].some(({ json }) => entriesIn(json).length === 0)

/** A time with entries before and after it. −∞ asks for all. */
export const randomSince: fc.Arbitrary<number> = fc.oneof(
  fc.constant(Number.NEGATIVE_INFINITY),
  fc.nat(7).map((minute) => timeOf(minute).getTime()),
)
