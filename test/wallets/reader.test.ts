import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWallet } from '../../src/accounts/sameness.ts'
import { entriesOf } from '../../src/exports/wallet-entries.ts'
import type { Transaction } from '../../src/provider/index.ts'
import { readPages } from '../../src/wallets/reader.ts'
import { type EntriesView, type Place, readView } from '../../src/wallets/view.ts'
import { entryKey, newHistory, reachedMs } from '../../src/wallets/wallet-history.ts'
import { newReading, readEntries, readOn } from '../../src/wallets/wallet-reading.ts'
import { runs } from '../support/runs.ts'
import {
  hasUnreadable,
  keysSince,
  listingOf,
  type RandomLedger,
  randomLedger,
  randomSince,
} from './random-ledger.ts'

const began = new Date('2026-11-21T12:00:00Z')
const tried = { numRuns: runs(200) }
const all = Number.NEGATIVE_INFINITY

const keysOf = (entries: Iterable<Transaction>): string[] => [...entries].map(entryKey).sort()
const unique = (keys: string[]): string[] => [...new Set(keys)]
/** Those of the keys that belong to entries that existed when the read began. */
const ofBeginning = (ledger: RandomLedger, keys: string[]): string[] => {
  const there = new Set(keysSince(ledger, all))
  return keys.filter((key) => there.has(key))
}

/** For each caller of the reader: reads the ledger, and returns the entries since that time that the caller gets. */
const callers: Record<string, (ledger: RandomLedger, sinceMs: number) => Promise<Transaction[]>> = {
  'the audit after a restore': async (ledger, sinceMs) => {
    const reading = newReading(began)
    await readOn(reading, listingOf(ledger).readPage, sinceMs)
    return [...reading.entries.values()]
  },
  'a read that is interrupted at each page': async (ledger, sinceMs) => {
    const reading = newReading(began)
    const { readPage } = listingOf(ledger)
    for (let page = 0; page < 200; page += 1) await readOn(reading, readPage, sinceMs, () => true)
    return [...reading.entries.values()]
  },
  'a read that fails again and again': async (ledger, sinceMs) => {
    const reading = newReading(began)
    const { readPage } = listingOf(ledger)
    let requests = 0
    const failing = async (page: number) => {
      requests += 1
      if (requests % 3 === 2) throw new Error('The limit is reached.')
      return readPage(page)
    }
    for (let go = 0; go < 200; go += 1) await readOn(reading, failing, sinceMs).catch(() => {})
    return [...reading.entries.values()]
  },
  'the export': async (ledger, sinceMs) => {
    const since = sinceMs === all ? null : new Date(sinceMs)
    const pages = entriesOf({
      readPage: listingOf(ledger).readPage,
      span: { since, until: null },
      now: () => began,
      wait: async () => {},
      onNews: () => {},
      onUnreadable: () => {},
    })
    return (await Array.fromAsync(pages)).flat()
  },
  'a walk through the screens of /transactions': async (ledger, sinceMs) => {
    const { readPage } = listingOf(ledger)
    const look = (from: Place | null): Promise<EntriesView<Transaction>> =>
      readView({
        readPage,
        choose: async (entries) => entries.map((entry) => ({ entry, chosen: entry })),
        from: from && { way: 'older', ...from },
        size: 8,
      })
    const shown: Transaction[] = []
    let older: Place | null = null
    for (let press = 0; press === 0 || older !== null; press += 1) {
      if (press === 200) throw new Error('The screens come to no end.')
      const view = await look(older)
      shown.push(...view.shown)
      older = view.older
    }
    return shown.filter(({ createdAt }) => createdAt === null || createdAt.getTime() >= sinceMs)
  },
}

/**
 * A ledger and a time since which it is read. An unsorted ledger is read as a whole, because the part that has been
 * read may look sorted.
 */
const ledgerAndSince = (isLate: boolean) =>
  fc
    .tuple(randomLedger(isLate), randomSince)
    .map(([ledger, since]) => [ledger, ledger.listed === 'unordered' ? all : since] as const)

describe.each(Object.entries(callers))('%s', (name, read) => {
  const isScreen = name.includes('the screens')

  // Screens are tested only without late entries and unsorted wallets: a late entry may move another one between two
  // presses, and each press reads too few pages to notice that a wallet is unsorted. The way back ends after five pages
  // without a readable entry.
  test.each(isScreen ? [false] : [false, true])(
    'gets each entry of a wallet once (with entries that appear late: %s)',
    async (isLate) => {
      await fc.assert(
        fc.asyncProperty(ledgerAndSince(isLate), async ([ledger, sinceMs]) => {
          fc.pre(!isScreen || (ledger.listed !== 'unordered' && ledger.pageSize >= 5))
          const keys = ofBeginning(ledger, keysOf(await read(ledger, sinceMs)))
          expect(keys).toEqual(unique(keys))
          expect(keys).toEqual(expect.arrayContaining(keysSince(ledger, sinceMs)))
        }),
        tried,
      )
    },
  )
})

test('a wallet read that reached the requested time has every debit and credit since then', async () => {
  await fc.assert(
    fc.asyncProperty(ledgerAndSince(true), async ([ledger, sinceMs]) => {
      const reading = newReading(began)
      const { readPage } = listingOf(ledger)
      const read = await readEntries(reading, readPage, sinceMs)
      expect(read.isUnfinished).toBe(false)
      if (!hasUnreadable(ledger) && sinceMs !== all) expect(read.reachedMs).toBeLessThan(sinceMs)
      const keys = keysOf(reading.entries.values())
      if (read.reachedMs < sinceMs || read.reachedMs === all) {
        expect(keys).toEqual(expect.arrayContaining(keysSince(ledger, sinceMs)))
      }
    }),
    tried,
  )
})

test('an interrupted wallet read has every entry after the time that it reports', async () => {
  await fc.assert(
    fc.asyncProperty(ledgerAndSince(true), fc.nat(6), async ([ledger], pages) => {
      fc.pre(ledger.listed !== 'unordered')
      const history = newHistory()
      let count = 0
      for await (const _ of readPages(history, listingOf(ledger).readPage, all)) {
        count += 1
        if (count > pages) break
      }
      const reached = reachedMs(history)
      expect([...history.met]).toEqual(expect.arrayContaining(keysSince(ledger, reached + 1)))
    }),
    tried,
  )
})

test('a read that identifies a wallet’s owner has every entry after the time that it reached', async () => {
  await fc.assert(
    fc.asyncProperty(randomLedger(true), async (ledger) => {
      fc.pre(ledger.listed !== 'unordered')
      const { readPage } = listingOf(ledger)
      const { entries, reachedMs: reached } = await readWallet(
        { transactions: ({ page = 1 } = {}) => readPage(page) },
        () => false,
      )
      expect(keysOf(entries)).toEqual(expect.arrayContaining(keysSince(ledger, reached + 1)))
    }),
    tried,
  )
})
