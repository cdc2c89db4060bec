import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createInbox, type Inbox, statusReportOf } from '../../src/messaging/inbox.ts'
import type { Callback } from '../../src/provider/index.ts'
import type { NewStatusReport } from '../../src/store/orders/status-reports.ts'
import { newStore } from '../support/database.ts'
import { runs } from '../support/runs.ts'

const now = new Date('2026-03-01T10:00:00Z')
const callback = (fields: Partial<Callback> = {}): Callback => ({
  event: 'order.status.updated',
  reference: 'BUD-API-A-1',
  status: 'delivered',
  network: null,
  volume: null,
  phone: null,
  deliveredAt: null,
  timestamp: null,
  ...fields,
})
const event = (name: string): NewStatusReport => statusReportOf('order', Buffer.from(name), callback(), now)
const names = (events: NewStatusReport[]) => events.map(({ body }) => body)

/** An inbox whose commits end only when the test says so. */
const held = () => {
  const commits: { events: NewStatusReport[]; done: PromiseWithResolvers<void> }[] = []
  let stored = 0
  const inbox = createInbox(
    (events) => {
      const done = Promise.withResolvers<void>()
      commits.push({ events, done })
      return done.promise
    },
    () => {
      stored += 1
    },
  )
  return {
    inbox,
    batches: () => commits.map(({ events }) => names(events)),
    /** Waits until the nth commit begins. @returns the function that ends it. */
    commit: (index: number) =>
      vi.waitFor(() => {
        const commit = commits[index]
        if (!commit) throw new Error(`Commit ${index} has not begun.`)
        return commit.done
      }),
    stored: () => stored,
  }
}

const turn = () => new Promise(setImmediate)
/** `kept`, `lost`, or `open` if it is not answered yet. */
const fateOf = (accepted: Promise<void>) =>
  Promise.race([
    accepted.then(
      () => 'kept',
      () => 'lost',
    ),
    turn().then(() => 'open'),
  ])

describe('the inbox of callbacks', () => {
  test('commits callbacks together that arrive at the same time', async () => {
    const { inbox, batches, commit } = held()
    for (const name of ['1', '2', '3']) void inbox.accept(event(name))
    await commit(0)
    expect(batches()).toEqual([['1', '2', '3']])
  })

  test('commits callbacks that arrive during a commit together in the next one', async () => {
    const { inbox, batches, commit, stored } = held()
    const first = inbox.accept(event('1'))
    const { resolve } = await commit(0)
    const others = ['2', '3', '4'].map((name) => inbox.accept(event(name)))
    resolve()
    await first
    const second = await commit(1)
    expect(batches()).toEqual([['1'], ['2', '3', '4']])
    expect(await Promise.all(others.map(fateOf))).toEqual(['open', 'open', 'open'])
    second.resolve()
    await Promise.all(others)
    expect(stored()).toBe(2)
  })

  test('rejects only the callbacks whose commit failed', async () => {
    const { inbox, commit, stored } = held()
    const failure = new Error('disk full')
    const lost = [inbox.accept(event('1')), inbox.accept(event('2'))]
    const { reject } = await commit(0)
    const kept = inbox.accept(event('3'))
    reject(failure)
    for (const each of lost) await expect(each).rejects.toBe(failure)
    const { resolve } = await commit(1)
    expect(await fateOf(kept)).toBe('open')
    resolve()
    await kept
    expect(stored()).toBe(1)
  })

  test('stores no callback whose request was given up while an earlier commit hung', async () => {
    const written: string[] = []
    const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const inbox = createInbox(
      async (events) => {
        begun.resolve()
        await goesOn.promise
        written.push(...events.map(({ digest }) => digest))
      },
      () => {},
    )
    const first = inbox.accept(event('1'))
    await begun.promise
    const late = new AbortController()
    void inbox.accept(event('2'), late.signal)
    late.abort()
    const third = inbox.accept(event('3'))
    goesOn.resolve()
    await Promise.all([first, third])
    expect(written).toEqual([event('1').digest, event('3').digest])
  })

  test('stores every accepted callback once and in sequence, whichever commits fail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (works) => {
        const committed: (string | null)[] = []
        let commits = 0
        const inbox = createInbox(
          async (events) => {
            await turn()
            if (!works[commits++ % works.length]) throw new Error('no')
            committed.push(...names(events))
          },
          () => {},
        )
        const sent = Array.from({ length: 40 }, (_, index) => String(index))
        const fates: string[] = []
        for (const name of sent) {
          void inbox.accept(event(name)).then(
            () => fates.push(name),
            () => {},
          )
          if (Number(name) % 7 === 0) await turn()
        }
        await inbox.accept(event('last')).catch(() => {})
        expect(fates).toEqual(committed.filter((name) => name !== 'last'))
        expect(fates).toEqual(sent.filter((name) => fates.includes(name)))
      }),
      { numRuns: runs(20) },
    )
  })

  test('splits a flood into commits of at most 500', async () => {
    const sizes: number[] = []
    const inbox = createInbox(
      async (events) => void sizes.push(events.length),
      () => {},
    )
    await Promise.all(Array.from({ length: 1200 }, (_, index) => inbox.accept(event(`${index}`))))
    expect(sizes).toEqual([500, 500, 200])
  })
})

describe('background work of a process that receives callbacks', () => {
  // The clock moves only when the test moves it.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  const newInbox = () =>
    createInbox(
      async () => {},
      () => {},
    )
  const commit = async (inbox: Inbox, callbacks: number): Promise<void> => {
    await Promise.all(Array.from({ length: callbacks }, (_, index) => inbox.accept(event(`${index}`))))
  }
  const isLetThrough = async (quiet: Promise<void>): Promise<boolean> => (await fateOf(quiet)) === 'kept'

  test.each([0, 1, 31])('continues immediately after a commit of %i callbacks', async (callbacks) => {
    const inbox = newInbox()
    await commit(inbox, callbacks)
    expect(await isLetThrough(inbox.quiet())).toBe(true)
  })

  test.each([
    ['waits if a flood of callbacks arrives in small commits', 5, false],
    ['continues if as many callbacks arrive slowly', 20, true],
  ])('%s', async (_, everyMs, isThrough) => {
    const inbox = newInbox()
    for (let commits = 0; commits < 8; commits += 1) {
      vi.advanceTimersByTime(everyMs)
      await commit(inbox, 4)
    }
    expect(await isLetThrough(inbox.quiet())).toBe(isThrough)
    vi.advanceTimersByTime(50)
  })

  test('waits while callbacks arrive in floods, and continues when they have ended', async () => {
    const inbox = newInbox()
    await commit(inbox, 32)
    const quiet = inbox.quiet()
    expect(await isLetThrough(quiet)).toBe(false)
    vi.advanceTimersByTime(50)
    await quiet
    expect(await isLetThrough(inbox.quiet())).toBe(true)
  })

  test('continues after a quarter of a second although the floods do not end', async () => {
    const inbox = newInbox()
    await commit(inbox, 32)
    const quiet = inbox.quiet()
    for (let waited = 0; waited < 250; waited += 25) {
      expect(await isLetThrough(quiet)).toBe(false)
      vi.advanceTimersByTime(25)
      await commit(inbox, 32)
    }
    await quiet
    expect(await isLetThrough(inbox.quiet())).toBe(false)
    vi.advanceTimersByTime(50)
  })
})

describe('a status report', () => {
  test('is recognized as a repeat only by an identical body about the same order', () => {
    const of = (orderId: string, body: string) =>
      statusReportOf(orderId, Buffer.from(body), callback(), now).digest
    expect(of('a', '{"x":1}')).toBe(of('a', '{"x":1}'))
    expect(of('a', '{"x":1}')).not.toBe(of('a', '{"x": 1}'))
    expect(of('a', 'bc')).not.toBe(of('b', 'bc'))
    expect(of('a', 'bc')).not.toBe(of('ab', 'c'))
  })

  test('has the time of the delivery, or else the time of the callback', () => {
    const [delivered, made] = [new Date(1), new Date(2)]
    const at = (fields: Partial<Callback>) =>
      statusReportOf('a', Buffer.from(''), callback(fields), now).happenedAt
    expect(at({ deliveredAt: delivered, timestamp: made })).toBe(delivered)
    expect(at({ timestamp: made })).toBe(made)
    expect(at({})).toBeNull()
  })

  test('is stored once however often it arrives, even within one commit', async () => {
    const store = await newStore()
    expect(await store.statusReports.insert([event('1'), event('1'), event('2')])).toBe(2)
    expect(await store.statusReports.insert([event('2'), event('3')])).toBe(1)
    const kept = await store.statusReports.unapplied(0, 10)
    expect(kept).toHaveLength(3)
    expect(kept.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).toSorted((a, b) => a - b))
  })
})
