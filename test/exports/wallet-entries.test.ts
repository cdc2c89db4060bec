import { expect, test } from 'vitest'
import { type EntriesReading, entriesOf, type ReadingNews } from '../../src/exports/wallet-entries.ts'
import { ProviderError, type Transaction, type TransactionPage } from '../../src/provider/index.ts'
import { pesewas } from '../../src/provider/money.ts'

const now = new Date('2026-11-21T10:32:00Z')

const entryOf = (id: number): Transaction => ({
  id,
  type: 'debit',
  amountPesewas: pesewas(100),
  description: null,
  reference: `BUD-API-${id}`,
  balanceAfterPesewas: null,
  createdAt: new Date(now.getTime() - (1000 - id) * 3_600_000),
})

/** A wallet whose newest entry has the largest id. */
const walletOf = (count: number) => {
  const entries = Array.from({ length: count }, (_, index) => entryOf(count - index))
  const page = (number: number): TransactionPage => ({
    transactions: entries.slice((number - 1) * 100, number * 100),
    unreadable: 0,
    pagination: {
      currentPage: number,
      perPage: 100,
      total: entries.length,
      lastPage: Math.ceil(entries.length / 100),
    },
    meta: { httpStatus: 200, receivedAt: now, serverDate: null } as unknown as TransactionPage['meta'],
  })
  return { entries, page, add: () => entries.unshift(entryOf(entries.length + 1)) }
}

const read = async (options: Partial<EntriesReading>) => {
  const news: ReadingNews[] = []
  const waits: number[] = []
  const pages = entriesOf({
    readPage: async (page) => walletOf(250).page(page),
    span: { since: null, until: null },
    now: () => now,
    wait: async (ms) => void waits.push(ms),
    onNews: (each) => news.push(each),
    onUnreadable: () => {},
    ...options,
  })
  const ids = (await Array.fromAsync(pages)).flat().map(({ id }) => Number(id))
  return { ids, news, waits }
}

const descending = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index)

test('an export of a wallet reads all entries page by page, and shows how many there are', async () => {
  const { ids, news } = await read({})
  expect(ids).toEqual(descending(250, 1))
  expect(news.at(-1)).toEqual({ kind: 'read', entries: 250, total: 250 })
})

test('an export of a wallet reads no entry twice, even if entries move to the next page', async () => {
  const wallet = walletOf(250)
  const { ids } = await read({
    readPage: async (page) => {
      for (let each = 0; page > 1 && each < 7; each += 1) wallet.add()
      return wallet.page(page)
    },
  })
  expect(ids).toEqual(descending(250, 1))
})

test('an export of a wallet does not end at a first page whose entries all have the same time', async () => {
  const wallet = walletOf(150)
  const moved = wallet.entries.map((entry, index) =>
    index < 30 ? entry : { ...entry, createdAt: new Date(now.getTime() - 2_000 * 3_600_000) },
  )
  wallet.entries.splice(0, 150, ...moved.toReversed())
  const since = new Date(now.getTime() - 1_500 * 3_600_000)
  const { ids } = await read({ span: { since, until: null }, readPage: async (page) => wallet.page(page) })
  expect(ids).toHaveLength(30)
})

test('an export of a wallet since a given time ends at the first page with an older entry', async () => {
  const asked: number[] = []
  const wallet = walletOf(950)
  const since = wallet.entries[120]?.createdAt ?? now
  const { ids } = await read({
    span: { since, until: null },
    readPage: async (page) => {
      asked.push(page)
      return wallet.page(page)
    },
  })
  expect(ids).toEqual(descending(950, 830))
  expect(asked).toEqual([1, 2])
})

test('an export of a wallet waits at the request limit for as long as the provider says', async () => {
  let refused = 0
  const { ids, news, waits } = await read({
    readPage: async (page) => {
      if (page === 2 && refused < 2) {
        refused += 1
        throw new ProviderError('rate_limited', 'Too many.', { retryAfterMs: 30_000 })
      }
      return walletOf(250).page(page)
    },
  })
  expect(ids).toHaveLength(250)
  expect(waits).toEqual([30_000, 30_000])
  expect(news).toContainEqual({ kind: 'waits', until: new Date(now.getTime() + 30_000), why: 'limit' })
})

test('an export of a wallet requests a page at most four times if no answer comes, and only once if the key is refused', async () => {
  let tries = 0
  const failing = (code: 'timeout' | 'unauthorized') =>
    read({
      readPage: async () => {
        tries += 1
        throw new ProviderError(code, 'No.')
      },
    })
  await expect(failing('timeout')).rejects.toMatchObject({ code: 'timeout' })
  expect(tries).toBe(4)
  tries = 0
  await expect(failing('unauthorized')).rejects.toMatchObject({ code: 'unauthorized' })
  expect(tries).toBe(1)
})
