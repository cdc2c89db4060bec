import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import type { Locks } from '../../src/database/locks.ts'
import { type Claims, claimMs, createClaims } from '../../src/relay/claims.ts'
import { executeIn, newDatabaseUrl } from '../support/database.ts'

/** A process's claims on chats, by a clock of its own. */
interface Holder {
  claims: Claims<number>
  locks: Locks
  /** Lets that much of its own time pass. */
  pass: (ms: number) => void
  /** Its machine is suspended for so long, so that its monotonic clock stops too. */
  suspend: (ms: number) => void
  /** The processes that it has woken. */
  woken: string[]
  /** From now on its questions fail. */
  cutOff: () => void
}

/** Processes on one PostgreSQL, as far as the server can tell. */
const newHolders = async <Name extends string>(...names: Name[]) => {
  const url = await newDatabaseUrl()
  const ended = new Set<string>()
  const holderOf = async (name: string): Promise<Holder> => {
    const database = await openDatabase(url)
    onTestFinished(database.close)
    const locks = database.shared?.locks
    if (!locks) throw new Error('Nothing is shared here.')
    let isCutOff = false
    const woken: string[] = []
    const clock = { ms: 0, suspendedMs: 0 }
    const claims = createClaims<number>({
      topic: 'sending',
      locks: {
        ...locks,
        takeAll: async (...asked) => {
          if (isCutOff) throw new Error('the database does not answer')
          return locks.takeAll(...asked)
        },
      },
      token: name,
      hasEnded: (token) => ended.has(token),
      monotonicMs: () => clock.ms,
      wallMs: () => clock.ms + clock.suspendedMs,
      wake: (token) => woken.push(token),
    })
    const pass = (ms: number) => {
      clock.ms += ms
    }
    const cutOff = () => {
      isCutOff = true
    }
    const suspend = (ms: number) => {
      clock.suspendedMs += ms
    }
    return { claims, locks, pass, suspend, woken, cutOff }
  }
  const holders = await Promise.all(names.map(async (name) => [name, await holderOf(name)] as const))
  return {
    holders: Object.fromEntries(holders) as Record<Name, Holder>,
    ended,
    /** Lets all claims run out by the server's clock. */
    runOut: () => executeIn(url, `UPDATE "Lease" SET "until" = '2000-01-01'`),
    /** Loses them, as a crash of the server may. */
    lose: () => executeIn(url, 'DELETE FROM "Lease"'),
  }
}

const taken = async ({ claims }: Holder, ...keys: number[]): Promise<number[]> => [
  ...(await claims.take(keys)),
]

describe('claims', () => {
  test('are not given back as idle while they are asked for again', async () => {
    const { a, b } = (await newHolders('a', 'b')).holders
    expect(await taken(a, 1)).toEqual([1])
    a.claims.give(1)
    a.pass(claimMs - 500)
    const [again] = await Promise.all([taken(a, 1), a.claims.round()])
    expect([again, a.claims.holds(1), await taken(b, 1)]).toEqual([[1], true, []])
  })

  test('are one process’s each; the other is left the rest, and tells the holder of work', async () => {
    const { a, b } = (await newHolders('a', 'b')).holders
    expect(await taken(a, 1, 2)).toEqual([1, 2])
    expect(await taken(b, 2, 3)).toEqual([3])
    expect(b.woken).toEqual(['a'])
    expect([1, 2, 3].map(a.claims.holds)).toEqual([true, true, false])
    expect([1, 2, 3].map(b.claims.holds)).toEqual([false, false, true])
    expect(await taken(a, 1, 2)).toEqual([1, 2])
    expect(a.woken).toEqual([])
  })

  test('of which two want the same in opposite orders hold up nobody', async () => {
    const { a, b, c, d } = (await newHolders('a', 'b', 'c', 'd')).holders
    const keys = Array.from({ length: 60 }, (_, index) => index)
    for (let turn = 0; turn < 10; turn += 1) {
      const [ofA, ofB, ofC, ofD] = await Promise.all([
        taken(a, ...keys),
        taken(b, ...keys.toReversed()),
        taken(c, ...keys.toSorted((x, y) => (x % 7) - (y % 7))),
        taken(d, ...keys.toReversed()),
      ])
      expect([...ofA, ...ofB, ...ofC, ...ofD].toSorted((x, y) => x - y)).toEqual(keys)
      for (const { claims } of [a, b, c, d]) for (const key of keys) claims.give(key)
      await Promise.all([a, b, c, d].map(({ claims }) => claims.rest()))
    }
  })

  test('run out for a process that stood still, by its own clock before the server’s', async () => {
    const { holders, runOut } = await newHolders('a', 'b')
    const { a, b } = holders
    await taken(a, 1)
    a.pass(claimMs - 1_000)
    expect(a.claims.holds(1)).toBe(false)
    expect(await taken(b, 1)).toEqual([])
    await runOut()
    expect(await taken(b, 1)).toEqual([1])
    await a.claims.round()
    expect(a.claims.holds(1)).toBe(false)
    expect(await taken(a, 1)).toEqual([])
    expect(b.claims.holds(1)).toBe(true)
  })

  test('run out for a process whose machine was suspended', async () => {
    const { a } = (await newHolders('a')).holders
    await taken(a, 1)
    a.suspend(claimMs)
    expect(a.claims.holds(1)).toBe(false)
    expect(await taken(a, 1)).toEqual([1])
  })

  test('are renewed while they are worked on, and given back a moment after', async () => {
    const { a, b } = (await newHolders('a', 'b')).holders
    await taken(a, 1, 2)
    a.claims.give(2)
    for (let seconds = 0; seconds < 20; seconds += 1) {
      a.pass(1_000)
      await a.claims.round()
      expect(a.claims.holds(1)).toBe(true)
    }
    expect(await taken(b, 1, 2)).toEqual([2])
    a.claims.give(1)
    expect(await taken(a, 1)).toEqual([1])
    a.pass(1_000)
    await a.claims.round()
    expect(await taken(b, 1)).toEqual([])
    a.claims.give(1)
    a.pass(1_000)
    await a.claims.round()
    expect(await taken(b, 1)).toEqual([1])
  })

  test('are kept for longer where only their process can go on, but not when it stops', async () => {
    const { a, b } = (await newHolders('a', 'b')).holders
    await taken(a, 1)
    a.claims.give(1, 20_000)
    for (let seconds = 0; seconds < 19; seconds += 1) {
      a.pass(1_000)
      await a.claims.round()
      expect(a.claims.holds(1)).toBe(true)
    }
    expect(await taken(b, 1)).toEqual([])
    a.pass(1_000)
    await a.claims.round()
    expect(await taken(b, 1)).toEqual([1])
    b.claims.give(1, 20_000)
    await b.claims.rest()
    expect(await taken(a, 1)).toEqual([1])
  })

  test('of others are left out of searches for a moment', async () => {
    const { a, b } = (await newHolders('a', 'b')).holders
    await taken(a, 1)
    await taken(b, 1, 2)
    expect(b.claims.others()).toEqual([1])
    expect(a.claims.others()).toEqual([])
    b.pass(500)
    expect(b.claims.others()).toEqual([])
  })

  test('of a process that stops are given back at once, but for those worked on', async () => {
    const { a, b } = (await newHolders('a', 'b')).holders
    await taken(a, 1, 2, 3)
    for (const key of [2, 3]) a.claims.give(key)
    await a.claims.rest()
    expect(await taken(b, 1, 2, 3)).toEqual([2, 3])
    expect(await taken(a, 1)).toEqual([1])
  })

  test('of a process that has ended are taken over at once, whoever else waits', async () => {
    const { holders, ended } = await newHolders('a', 'b')
    const { a, b } = holders
    await taken(a, 1, 2)
    expect(await taken(b, 1)).toEqual([])
    ended.add('a')
    b.pass(1_000)
    expect(await taken(b, 1)).toEqual([1])
    expect(await taken(b, 2)).toEqual([2])
    expect(b.woken).toEqual(['a'])
  })

  test('are not believed after a connection broke, until the database has confirmed them', async () => {
    const { holders, lose } = await newHolders('a', 'b')
    const { a, b } = holders
    await taken(a, 1, 2)
    await lose()
    a.claims.doubt()
    expect([1, 2].map(a.claims.holds)).toEqual([false, false])
    expect(await taken(b, 1)).toEqual([1])
    await a.claims.round()
    expect([1, 2].map(a.claims.holds)).toEqual([false, true])
  })

  test('that the database confirmed before a connection broke are not believed after it', async () => {
    const { a } = (await newHolders('a')).holders
    const asking = a.claims.take([1])
    await nextTurn()
    a.claims.doubt()
    expect([...(await asking)]).toEqual([])
    expect(a.claims.holds(1)).toBe(false)
    expect(await taken(a, 1)).toEqual([1])
  })

  test('are not believed when they could not be renewed', async () => {
    const { a } = (await newHolders('a')).holders
    await taken(a, 1)
    a.pass(2_500)
    a.cutOff()
    await expect(a.claims.round()).rejects.toThrow()
    expect(a.claims.holds(1)).toBe(false)
  })
})
