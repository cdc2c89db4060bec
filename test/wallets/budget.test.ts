import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Room } from '../../src/store/accounts/requests.ts'
import { countRequest, forgetRequests, type Purpose, roomFor, windows } from '../../src/wallets/budget.ts'
import { newStore } from '../support/database.ts'
import { runs } from '../support/runs.ts'

const start = Date.UTC(2026, 0, 5, 8)
const purposes: Purpose[] = ['order', 'reconciling', 'person', 'polling']

/** The requests of one account, counted in memory, which is faster than in the database. */
const inMemory = () => {
  const times: number[] = []
  const since = (from: Date) => times.filter((at) => at > from.getTime()).toSorted((a, b) => a - b)
  return {
    times,
    queries: {
      requests: {
        countIfRoom: async (_accountId: string, at: Date, rooms: Room[]) => {
          const hasRoom = rooms.every((room) => since(room.since).length < room.most)
          if (hasRoom) times.push(at.getTime())
          return hasRoom
        },
        countsSince: async (_accountId: string, from: Date[]) => from.map((each) => since(each).length),
        usageSince: async (_accountId: string, from: Date[]) => ({
          counts: from.map((each) => since(each).length),
          frozenUntil: null,
        }),
        nthSince: async (_accountId: string, from: Date, skip: number) => {
          const at = since(from)[skip]
          return at === undefined ? null : new Date(at)
        },
      },
    } as unknown as Parameters<typeof countRequest>[0],
  }
}

describe('the request budget of an account', () => {
  test('never exceeds a request limit, and says exactly when there is room', async () => {
    const steps = fc.array(
      fc.record({ afterMs: fc.integer({ min: 0, max: 4_000 }), purpose: fc.constantFrom(...purposes) }),
      { minLength: 50, maxLength: 200 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (asks) => {
        const { times, queries } = inMemory()
        let now = start
        for (const { afterMs, purpose } of asks) {
          now += afterMs
          const waitMs = await countRequest(queries, 'a', purpose, new Date(now))
          if (waitMs === 0) continue
          expect(await countRequest(queries, 'a', purpose, new Date(now + waitMs - 1))).toBeGreaterThan(0)
          now += waitMs
          expect(await countRequest(queries, 'a', purpose, new Date(now))).toBe(0)
        }
        for (const { lengthMs, limit } of windows) {
          for (const end of times) {
            expect(times.filter((at) => at > end - lengthMs && at <= end).length).toBeLessThanOrEqual(limit)
          }
        }
      }),
      { numRuns: runs(30) },
    )
  })

  test('keeps room for people, more for reconciling and most for orders', async () => {
    const { queries } = inMemory()
    const [perMinute] = windows
    if (!perMinute) throw new Error('there is a window')
    const now = new Date(start)
    for (const purpose of purposes.toReversed()) {
      let made = 0
      while ((await countRequest(queries, 'a', purpose, now)) === 0) made += 1
      expect(made, purpose).toBeGreaterThan(0)
      expect(await queries.requests.countsSince('a', [new Date(start - 1)])).toEqual([
        roomFor(purpose, perMinute),
      ])
    }
  })

  test('is counted for each account, and has no room while the account is rate-limited', async () => {
    const store = await newStore()
    const now = new Date(start)
    const account = { keyHash: 'h', sealedKey: 'k', sealedSecret: 's', accountType: null, now }
    await store.accounts.insert({ ...account, id: 'one' })
    await store.accounts.insert({ ...account, id: 'other', keyHash: 'i' })
    for (let made = 0; made < 58; made += 1) expect(await countRequest(store, 'one', 'order', now)).toBe(0)
    expect(await countRequest(store, 'one', 'order', now)).toBe(60_000)
    expect(await countRequest(store, 'other', 'order', now)).toBe(0)
    await store.accounts.freeze('other', new Date(start + 30_000))
    expect(await countRequest(store, 'other', 'order', new Date(start + 10_000))).toBe(20_000)
    await store.requests.keepBetween(new Date(start + 1), new Date(start + 2))
    expect(await countRequest(store, 'one', 'order', now)).toBe(0)
  })

  test('has room within a minute after the clock was set back by days', async () => {
    const store = await newStore()
    const [now, ahead] = [new Date(start), new Date(start + 2 * 24 * 3_600_000)]
    const account = { keyHash: 'h', sealedKey: 'k', sealedSecret: 's', accountType: null, now }
    await store.accounts.insert({ ...account, id: 'one' })
    for (let made = 0; made < 58; made += 1) await countRequest(store, 'one', 'order', ahead)
    await store.accounts.freeze('one', new Date(ahead.getTime() + 30_000))
    expect(await countRequest(store, 'one', 'order', now)).toBeGreaterThan(0)
    await forgetRequests(store, now)
    expect(await countRequest(store, 'one', 'order', now)).toBe(0)
  })

  test('counts the requests from before the clock was set back by seconds', async () => {
    const store = await newStore()
    for (let made = 0; made < 58; made += 1)
      await countRequest(store, 'one', 'order', new Date(start + 2_000))
    await forgetRequests(store, new Date(start))
    expect(await countRequest(store, 'one', 'order', new Date(start))).toBe(62_000)
  })
})
