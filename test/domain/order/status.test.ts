import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contradictionMs,
  type IncomingStatus,
  isTerminal,
  type KnownStatus,
  type Merge,
  mergeStatus,
  rankOf,
} from '../../../src/domain/order/status.ts'

const start = Date.parse('2026-03-01T10:00:00Z')
const at = (seconds: number) => new Date(start + seconds * 1000)
const placed: KnownStatus = { status: 'processing', reported: false, since: at(0), newestCallbackAt: null }

const callback = (status: string, seconds = 10): IncomingStatus => ({
  source: 'callback',
  status,
  at: at(seconds),
})
const poll = (status: string, seconds = 20): IncomingStatus => ({ source: 'poll', status, at: at(seconds) })

/** The status after a report, as the tracker would store it. */
const learned = (known: KnownStatus, report: IncomingStatus): KnownStatus => {
  const merge = mergeStatus(known, report)
  const newestCallbackAt = report.source === 'callback' ? report.at : known.newestCallbackAt
  if (merge.kind === 'confirmed') return { ...known, reported: false, newestCallbackAt }
  if (merge.kind === 'same') return { ...known, newestCallbackAt }
  return { status: merge.status, reported: merge.reported, since: report.at, newestCallbackAt }
}

const word = fc.oneof(
  fc.constantFrom('placed', 'processing', 'delivered', 'failed', 'cancelled', 'refunded'),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'Delivered', '<b>'),
  fc.string(),
)
const known = fc.record<KnownStatus>({
  status: word,
  reported: fc.boolean(),
  since: fc.option(fc.integer({ min: -5000, max: 0 }).map(at)),
  newestCallbackAt: fc.option(fc.integer({ min: -5000, max: 5 }).map(at)),
})

test('the statuses of an order rank from placed to refunded, and an unknown status ranks with processing', () => {
  expect(['placed', 'processing', 'delivered', 'failed', 'cancelled', 'refunded'].map(rankOf)).toEqual([
    0, 1, 2, 2, 2, 3,
  ])
  for (const hostile of ['__proto__', 'constructor', 'toString', '', 'DELIVERED', 'on its way']) {
    expect(rankOf(hostile)).toBe(1)
    expect(isTerminal(hostile)).toBe(false)
  }
  expect(isTerminal(null)).toBe(false)
})

describe('a callback about an order', () => {
  test('never lowers the rank of the order’s status', () => {
    fc.assert(
      fc.property(known, word, (before, status) => {
        const then = learned(before, callback(status))
        expect(rankOf(then.status ?? '')).toBeGreaterThanOrEqual(rankOf(before.status ?? ''))
      }),
    )
  })

  test('leads to the same status rank as other callbacks, in whatever sequence and however often they arrive', () => {
    const shuffled = fc.array(word, { minLength: 1, maxLength: 8 }).chain((statuses) =>
      fc.tuple(
        fc.constant(statuses),
        fc
          .array(fc.constantFrom(...statuses), { maxLength: 8 })
          .chain((repeats) =>
            fc.shuffledSubarray([...statuses, ...repeats], { minLength: statuses.length + repeats.length }),
          ),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([statuses, delivered]) => {
        const end = delivered.reduce((then, status, index) => learned(then, callback(status, index)), placed)
        expect(rankOf(end.status ?? '')).toBe(Math.max(1, ...statuses.map(rankOf)))
      }),
    )
  })

  test('makes a final status count as reported only, and any other status as confirmed', () => {
    fc.assert(
      fc.property(word, (status) => {
        const then = learned({ ...placed, status: 'placed' }, callback(status))
        expect(then.reported).toBe(isTerminal(then.status))
      }),
    )
  })

  test('changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(word, (status) => {
        expect(mergeStatus(learned(placed, callback(status)), callback(status)).kind).toBe('same')
      }),
    )
  })

  test('that contradicts a status of equal rank causes another poll and changes nothing else', () => {
    const delivered = { ...placed, status: 'delivered' }
    expect(mergeStatus(delivered, callback('failed'))).toEqual({ kind: 'same', again: true })
    expect(mergeStatus(delivered, callback('processing'))).toEqual({ kind: 'same', again: false })
  })
})

describe('a poll of an order', () => {
  const reported = learned(placed, callback('delivered', 10))

  test('that began before the newest callback arrived changes nothing', () => {
    fc.assert(
      fc.property(known, word, fc.integer({ min: -100, max: 0 }), (before, status, age) => {
        const newest = { ...before, newestCallbackAt: at(10) }
        expect(mergeStatus(newest, poll(status, 10 + age))).toEqual({ kind: 'same', again: true })
      }),
    )
  })

  test('that began after the newest callback confirms the reported status without a notice', () => {
    expect(mergeStatus(reported, poll('delivered'))).toEqual({ kind: 'confirmed' })
    expect(mergeStatus(learned(reported, poll('delivered')), poll('delivered', 30))).toEqual({
      kind: 'same',
      again: false,
    })
  })

  test('that shows a lower rank than a reported status overrules it only after ten minutes, as a contradiction', () => {
    const young = poll('processing', 10 + contradictionMs / 1000 - 1)
    const old = poll('processing', 10 + contradictionMs / 1000)
    expect(mergeStatus(reported, young)).toEqual({ kind: 'same', again: true })
    expect(mergeStatus(reported, old)).toEqual<Merge>({
      kind: 'changed',
      status: 'processing',
      reported: false,
      contradicts: true,
    })
  })

  test('that shows another status of equal rank overrules a reported status immediately, as a contradiction', () => {
    expect(mergeStatus(reported, poll('failed'))).toEqual<Merge>({
      kind: 'changed',
      status: 'failed',
      reported: false,
      contradicts: true,
    })
  })

  test('that shows progress does not count as a contradiction', () => {
    expect(mergeStatus(placed, poll('delivered'))).toMatchObject({ kind: 'changed', contradicts: false })
    expect(mergeStatus({ ...placed, status: 'failed' }, poll('refunded'))).toMatchObject({
      kind: 'changed',
      contradicts: false,
    })
  })

  test('that changes the status makes it count as confirmed', () => {
    fc.assert(
      fc.property(known, word, (before, status) => {
        const merge = mergeStatus(before, poll(status))
        if (merge.kind === 'changed') expect(merge.reported).toBe(false)
      }),
    )
  })
})

test('the first status that is reported for an order is accepted, whatever its word', () => {
  const nothing = { ...placed, status: null, since: null }
  expect(mergeStatus(nothing, poll('placed'))).toMatchObject({ kind: 'changed', status: 'placed' })
  expect(mergeStatus(nothing, callback('__proto__'))).toMatchObject({ kind: 'changed', status: '__proto__' })
})

test('a poll that began before the order’s last status was learned does not change it back', () => {
  const delivered = learned(placed, poll('delivered', 30))
  expect(mergeStatus(delivered, poll('processing', 20))).toEqual({ kind: 'same', again: true })
  expect(mergeStatus(delivered, poll('processing', 40))).toMatchObject({ kind: 'changed', contradicts: true })
})
