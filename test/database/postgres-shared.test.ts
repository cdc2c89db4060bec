import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { waitOf } from '../../src/relay/buckets.ts'
import { keptTurns, lockedTurns } from '../../src/relay/chat-turns.ts'
import { createClaims } from '../../src/relay/claims.ts'
import { createStore } from '../../src/store/store.ts'
import { executeIn, newDatabaseUrl } from '../support/database.ts'

/** The state that all processes on a PostgreSQL share: two of them, as far as the server can tell. */
const twoDatabases = async () => {
  const url = await newDatabaseUrl()
  const [one, other] = [await openDatabase(url), await openDatabase(url)]
  for (const { close } of [one, other]) onTestFinished(close)
  return { url, one: sharedOf(one), other: sharedOf(other) }
}

const sharedOf = ({ shared }: Database) => {
  if (!shared) throw new Error('Nothing is shared here.')
  return shared
}

const bucket = { costMs: 60_000, burst: 3 }

test('a bucket gives its burst once, whoever takes of it, and then says how long to wait', async () => {
  const { one, other } = await twoDatabases()
  const taken = await Promise.all(
    Array.from({ length: 12 }, (_, index) => (index % 2 ? one : other).rates.tryTake('a', bucket)),
  )
  expect(taken.filter((waitMs) => waitMs === 0)).toHaveLength(3)
  for (const waitMs of taken.filter((each) => each > 0)) {
    expect(waitMs).toBeGreaterThan(50_000)
    expect(waitMs).toBeLessThanOrEqual(60_000)
  }
})

test('each in line has a place of its own, one cost after the other', async () => {
  const { one, other } = await twoDatabases()
  const waits = await Promise.all(
    Array.from({ length: 10 }, async (_, index) =>
      waitOf(await (index % 2 ? one : other).rates.take('line', bucket), bucket),
    ),
  )
  const places = waits.toSorted((a, b) => a - b).map((ms) => Math.round(ms / bucket.costMs))
  expect(places).toEqual([0, 0, 0, 1, 2, 3, 4, 5, 6, 7])
})

test('of two buckets taken at once the second one gives its burst once, and nothing while the first is waited for', async () => {
  const { one, other } = await twoDatabases()
  const both = (chat: number) =>
    (chat % 2 ? one : other).rates.takeBoth({ name: `chat ${chat}`, ...bucket }, { name: 'all', ...bucket })
  await one.rates.drain('chat 0', bucket, 30_000)
  expect(await both(0)).toEqual({ fullInMs: expect.any(Number), isBoth: false })
  const taken = await Promise.all(Array.from({ length: 12 }, (_, index) => both(index + 1)))
  expect(taken.filter(({ isBoth }) => isBoth)).toHaveLength(3)
  for (const { fullInMs } of taken) expect(waitOf(fullInMs, bucket)).toBe(0)
})

test('what one has drained is drained for all, and full buckets are forgotten', async () => {
  const { one, other, url } = await twoDatabases()
  await one.rates.drain('chat 7', bucket, 30_000)
  expect(waitOf(await other.rates.take('chat 7', bucket), bucket)).toBeGreaterThan(20_000)
  await executeIn(url, 'UPDATE "Bucket" SET "fullAtMs" = 0')
  await other.rates.forget()
  expect(await one.rates.tryTake('chat 7', bucket)).toBe(0)
})

test('updates of one chat are handled one at a time by two processes, those of others meanwhile', async () => {
  const { one, other } = await twoDatabases()
  let tokens = 0
  const turns = [one, other].map(({ locks }) => lockedTurns(locks, () => `token ${++tokens}`))
  const inside = new Map<number, number>()
  let most = 0
  let maxTogether = 0
  const handle = (index: number, chatId: number) =>
    turns[index % 2]?.(chatId, async () => {
      inside.set(chatId, (inside.get(chatId) ?? 0) + 1)
      most = Math.max(most, inside.get(chatId) ?? 0)
      maxTogether = Math.max(
        maxTogether,
        [...inside.values()].reduce((sum, count) => sum + count, 0),
      )
      await wait(20)
      inside.set(chatId, (inside.get(chatId) ?? 0) - 1)
    })
  await Promise.all(Array.from({ length: 24 }, (_, index) => handle(index, index % 3)))
  expect(most).toBe(1)
  expect(maxTogether).toBeGreaterThan(1)
})

/** Turns that two processes keep for a moment, each with the session that its update finds. */
const twoKeepers = async () => {
  const url = await newDatabaseUrl()
  const keeperOf = async (token: string) => {
    const database = await openDatabase(url)
    onTestFinished(database.close)
    const { visits } = createStore(database)
    const { locks } = sharedOf(database)
    let asked = 0
    const counted: typeof locks = {
      ...locks,
      takeAll: (...which) => {
        asked += 1
        return locks.takeAll(...which)
      },
    }
    const claims = createClaims<number>({
      ...{ topic: 'chat', locks: counted, token, hasEnded: () => false, wake: () => {} },
      monotonicMs: () => performance.now(),
      wallMs: Date.now,
    })
    const inTurn = keptTurns(claims)
    /** Handles an update of the chat. @returns the session that it found. */
    const handle = (chatId: number, work: () => Promise<unknown> = async () => {}) =>
      inTurn(chatId, async () => {
        const { session } = await visits.of({ chatId, userId: chatId })
        await work()
        return session
      })
    return { handle, claims, asked: () => asked, database }
  }
  return { a: await keeperOf('a'), b: await keeperOf('b') }
}

const remember = ({ client }: Database, key: string, value: string) =>
  client.session.upsert({ where: { key }, create: { key, value, updatedAt: new Date() }, update: { value } })

test('a turn is claimed once, and kept for the next updates', async () => {
  const { a } = await twoKeepers()
  await remember(a.database, '7', 'first')
  expect(await a.handle(7)).toBe('first')
  expect(await a.handle(7)).toBe('first')
  expect(await Promise.all([a.handle(7), a.handle(8), a.handle(7)])).toEqual(['first', null, 'first'])
  expect(a.asked()).toBe(2)
})

test('a kept turn is another process’s when it is given back, and that one sees what was written', async () => {
  const { a, b } = await twoKeepers()
  const isInside = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const order: string[] = []
  const first = a.handle(7, async () => {
    isInside.resolve()
    await mayEnd.promise
    await remember(a.database, '7', 'of a')
    order.push('a')
  })
  await isInside.promise
  const second = b.handle(7, async () => order.push('b'))
  // What is being handled is not given back.
  await a.claims.rest()
  while (b.asked() < 3) await wait(5)
  mayEnd.resolve()
  await first
  await a.claims.rest()
  expect([await second, order]).toEqual(['of a', ['a', 'b']])
})

test('a kept turn whose update failed is given back like any other', async () => {
  const { a, b } = await twoKeepers()
  await expect(a.handle(7, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await a.claims.rest()
  expect(await b.handle(7)).toBe(null)
})

test('a turn that failed, or that its process never gave back, does not keep a chat for ever', async () => {
  const { one, other, url } = await twoDatabases()
  const failing = lockedTurns(one.locks, () => 'a')
  await expect(failing(7, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await lockedTurns(other.locks, () => 'b')(7, async () => 'handled')).toBe('handled')
  await one.locks.take('chat 7', 'lost', 60_000)
  expect(await other.locks.take('chat 7', 'next', 60_000)).toBe(false)
  await executeIn(url, `UPDATE "Lease" SET "until" = "until" - interval '2 minutes'`)
  expect(await other.locks.take('chat 7', 'next', 60_000)).toBe(true)
  // A holder that comes back late does not give back the next holder's lock.
  await one.locks.give('chat 7', 'lost')
  expect(await one.locks.take('chat 7', 'third', 60_000)).toBe(false)
})
