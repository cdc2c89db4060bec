import { expect, test } from 'vitest'
import { enqueueSummaries, latestMs, maxMs, summaryFrom } from '../../src/settings/daily-summary.ts'
import type { Store } from '../../src/store/store.ts'
import { addAccount } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const due = new Date('2026-03-01T19:00:00Z')
const later = (ms: number) => new Date(due.getTime() + ms)
const nextDay = later(24 * 60 * 60_000)

const newShop = async (settled: object = {}): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', due)
  await store.accounts.attach({ userId: 7, chatId: 7, accountId: 'a', role: 'owner' }, due)
  await store.preferences.change(7, { summaryHour: 19, summaryAt: due, ...settled })
  return store
}

const owed = async (store: Store) => (await store.notices.ofChat(7)).map(({ content }) => content)

test('a daily summary is queued once at its hour, and again the next day', async () => {
  const store = await newShop()
  expect(await enqueueSummaries(store, () => later(-1))).toBe(0)
  expect(await enqueueSummaries(store, () => due)).toBe(1)
  expect(await enqueueSummaries(store, () => due)).toBe(0)
  expect((await store.preferences.of(7)).summaryAt).toEqual(nextDay)
  expect(await enqueueSummaries(store, () => nextDay)).toBe(1)
  expect(await owed(store)).toMatchObject([
    { kind: 'summary', fromMs: due.getTime() - 24 * 60 * 60_000, toMs: due.getTime() },
    { kind: 'summary', fromMs: due.getTime(), toMs: nextDay.getTime() },
  ])
})

test('a daily summary is queued once even by two processes', async () => {
  const store = await newShop()
  const both = await Promise.all([enqueueSummaries(store, () => due), enqueueSummaries(store, () => due)])
  expect(both.toSorted()).toEqual([0, 1])
  expect(await owed(store)).toHaveLength(1)
})

test('a missed daily summary is sent up to half a day late, and after that the next one covers its time', async () => {
  const store = await newShop({ summaryToldTo: later(-24 * 60 * 60_000) })
  expect(await enqueueSummaries(store, () => later(latestMs - 1))).toBe(1)
  const missed = await newShop({ summaryToldTo: later(-24 * 60 * 60_000) })
  expect(await enqueueSummaries(missed, () => later(latestMs))).toBe(0)
  expect((await missed.preferences.of(7)).summaryAt).toEqual(nextDay)
  expect(await enqueueSummaries(missed, () => nextDay)).toBe(1)
  expect(await owed(missed)).toMatchObject([{ fromMs: due.getTime() - 24 * 60 * 60_000 }])
})

test('a daily summary covers at most two days', () => {
  expect(summaryFrom({ summaryToldTo: new Date(0) }, due)).toEqual(later(-maxMs))
})

test('a daily summary waits for the end of quiet hours, and is not queued for a former member', async () => {
  const quiet = await newShop({ quietFrom: 18 * 60, quietTo: 20 * 60 })
  await enqueueSummaries(quiet, () => due)
  expect((await quiet.notices.ofChat(7))[0]?.quietUntil).toEqual(later(60 * 60_000))
  const gone = await newShop()
  await gone.accounts.detach(7)
  expect(await enqueueSummaries(gone, () => due)).toBe(0)
})
