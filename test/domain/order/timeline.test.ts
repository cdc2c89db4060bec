import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placements } from '../../../src/domain/order/placement.ts'
import {
  isOver,
  type TimelineOrder,
  type TimelineReport,
  type TimelineStep,
  timeline,
} from '../../../src/domain/order/timeline.ts'
import { orderStatuses } from '../../../src/provider/index.ts'
import { runs } from '../../support/runs.ts'

const at = (time: string) => new Date(`2026-11-21T${time}:00Z`)

const placed: TimelineOrder = {
  kind: 'single',
  placement: 'placed',
  status: 'processing',
  statusReported: false,
  statusAt: at('10:31'),
  createdAt: at('10:30'),
  sentAt: at('10:31'),
  placedAt: at('10:31'),
  deliveredAt: null,
}

const told = (status: string, receivedAt: string, happenedAt: string | null = null): TimelineReport => ({
  status,
  phone: null,
  receivedAt: at(receivedAt),
  happenedAt: happenedAt === null ? null : at(happenedAt),
})

const signs = { past: '✓', now: '●', ahead: '○', failed: '✗' }

const nameOf = (step: TimelineStep): string => {
  switch (step.stage) {
    case 'ordered':
    case 'sent':
      return step.stage
    case 'placement':
      return `(${step.placement})`
    case 'status':
      return `${step.status}${step.reported ? '?' : ''}`
  }
}

const drawn = (order: Partial<TimelineOrder>, events: TimelineReport[] = []): string =>
  timeline({ ...placed, ...order }, events)
    .map((step) =>
      [signs[step.state], nameOf(step), step.at?.toISOString().slice(11, 16)].filter(Boolean).join(' '),
    )
    .join(', ')

test.each([
  ['waits', { placement: 'queued', sentAt: null, placedAt: null }, '● (queued), ○ sent, ○ delivered'],
  ['is being sent', { placement: 'sending', placedAt: null }, '● (sending), ○ sent, ○ delivered'],
  ['got no answer', { placement: 'unconfirmed' }, '✓ sent 10:31, ● (unconfirmed), ○ delivered'],
  ['needs the person’s decision', { placement: 'review' }, '✓ sent 10:31, ● (review), ○ delivered'],
  ['was refused', { placement: 'rejected' }, '✗ (rejected)'],
  ['was not placed', { placement: 'not_placed' }, '✗ (not_placed)'],
  ['was cancelled here', { placement: 'cancelled' }, '✗ (cancelled)'],
  ['is processed', {}, '✓ sent 10:31, ● processing 10:31, ○ delivered'],
  ['has the status placed', { status: 'placed' }, '✓ sent 10:31, ● placed 10:31, ○ delivered'],
  ['has no status yet', { status: null }, '✓ sent 10:31, ● placed 10:31, ○ delivered'],
  [
    'has a status in the provider’s own word',
    { status: 'queued-up' },
    '✓ sent 10:31, ● queued-up 10:31, ○ delivered',
  ],
] as [string, Partial<TimelineOrder>, string][])(
  'the timeline of an order that %s shows how far it has come',
  (_, order, rest) => {
    expect(drawn(order)).toBe(`✓ ordered 10:30, ${rest}`)
  },
)

describe('the timeline of an order that ended', () => {
  const head = '✓ ordered 10:30, ✓ sent 10:31'

  test('shows processing before delivered, whether or not processing was reported', () => {
    const delivered = { status: 'delivered', statusAt: at('10:41'), deliveredAt: at('10:40') }
    expect(drawn(delivered)).toBe(`${head}, ✓ processing 10:31, ✓ delivered 10:40`)
    expect(drawn(delivered, [told('processing', '10:33')])).toBe(
      `${head}, ✓ processing 10:33, ✓ delivered 10:40`,
    )
  })

  test('marks a final status that only a callback reported', () => {
    const order = { status: 'delivered', statusReported: true, statusAt: at('10:41') }
    expect(drawn(order)).toBe(`${head}, ✓ processing 10:31, ✓ delivered? 10:41`)
  })

  test.each(['failed', 'cancelled'])('ends with %s, and shows no status that nobody reported', (status) => {
    expect(drawn({ status, statusAt: at('10:41') })).toBe(`${head}, ✗ ${status} 10:41`)
  })

  test('ends with a refund, and shows the statuses before it if they were reported', () => {
    const events = [told('processing', '10:32'), told('failed', '10:41'), told('refunded', '10:50')]
    expect(drawn({ status: 'refunded', statusAt: at('10:50') }, events)).toBe(
      `${head}, ✓ processing 10:32, ✗ failed 10:41, ✗ refunded 10:50`,
    )
    expect(drawn({ status: 'refunded', statusAt: at('10:50') })).toBe(`${head}, ✗ refunded 10:50`)
  })
})

describe('the timeline of an order whose times contradict each other', () => {
  const delivered = { status: 'delivered', statusAt: at('10:41') }
  const end = (order: Partial<TimelineOrder>) => drawn(order).split(', ').at(-1)

  test('replaces an impossible time of delivery with that of the report', () => {
    expect(end({ ...delivered, deliveredAt: at('10:20') })).toBe('✓ delivered 10:41')
    expect(end({ ...delivered, deliveredAt: at('10:59') })).toBe('✓ delivered 10:41')
    expect(end({ ...delivered, deliveredAt: at('10:20'), statusAt: at('10:21') })).toBe('✓ delivered')
  })

  test('shows no time for a step that was reported out of sequence', () => {
    const order = { ...delivered, deliveredAt: at('10:35') }
    expect(drawn(order, [told('processing', '10:38')])).toContain('✓ processing, ✓ delivered 10:35')
    expect(drawn(order, [told('processing', '10:38', '10:33')])).toContain('✓ processing 10:33')
    expect(drawn(order, [told('processing', '10:38', '10:39')])).toContain('✓ processing, ')
  })

  test('keeps steps within one second in sequence, because the provider’s clock has whole seconds', () => {
    const early = new Date('2026-11-21T10:35:07.400Z')
    const order = { ...delivered, deliveredAt: new Date('2026-11-21T10:35:07Z') }
    const event = { status: 'processing', phone: null, happenedAt: null, receivedAt: early }
    expect(drawn(order, [event])).toContain('✓ processing 10:35, ✓ delivered 10:35')
  })

  test('replaces a time of sending that is earlier than the order by the time of placing, and shows no time if that is earlier too', () => {
    expect(drawn({ sentAt: at('10:20'), placedAt: at('10:32') })).toContain('✓ sent 10:32')
    expect(drawn({ sentAt: null, placedAt: at('10:20') })).toContain('✓ sent, ')
  })
})

test('the timeline of an order hides statuses that contradict the present one', () => {
  const events = [told('failed', '10:33'), told('delivered', '10:34'), told('refunded', '10:35')]
  expect(drawn({ status: 'delivered', statusAt: at('10:41'), deliveredAt: at('10:40') }, events)).toBe(
    '✓ ordered 10:30, ✓ sent 10:31, ✓ processing 10:31, ✓ delivered 10:40',
  )
  expect(drawn({}, events)).toBe('✓ ordered 10:30, ✓ sent 10:31, ● processing 10:31, ○ delivered')
})

test('the timeline of an order shows a repeated status once, at its first time, and only a part of a flood of statuses', () => {
  const repeats = [told('processing', '10:32'), told('processing', '10:36')]
  expect(drawn({ status: 'nearly', statusAt: at('10:37') }, repeats)).toBe(
    '✓ ordered 10:30, ✓ sent 10:31, ✓ processing 10:32, ● nearly 10:37, ○ delivered',
  )
  const flood = Array.from({ length: 500 }, (_, index) => told(`word-${index}`, '10:33'))
  expect(timeline(placed, flood)).toHaveLength(3 + 1 + 3)
})

test('the timeline of a bulk order ignores callbacks about one of its numbers', () => {
  const events = [{ ...told('on-its-way', '10:33'), phone: '0241234567' }]
  expect(drawn({ kind: 'bulk' }, events)).not.toContain('on-its-way')
  expect(drawn({ kind: 'single' }, events)).toContain('on-its-way')
})

test('every order’s timeline begins with “ordered”, has at most one current step, and no time goes back', () => {
  const time = fc.option(
    fc.integer({ min: 0, max: 59 }).map((minute) => at(`10:${String(minute).padStart(2, '0')}`)),
  )
  const status = fc.option(fc.constantFrom(...orderStatuses, 'on-its-way', '__proto__'))
  const order = fc.record({
    kind: fc.constantFrom('single' as const, 'bulk' as const),
    placement: fc.constantFrom(...placements),
    status,
    statusReported: fc.boolean(),
    statusAt: time,
    createdAt: fc.constant(at('10:05')),
    sentAt: time,
    placedAt: time,
    deliveredAt: time,
  })
  const event = fc.record({
    status: fc.constantFrom(...orderStatuses, 'on-its-way'),
    phone: fc.constant(null),
    happenedAt: time,
    receivedAt: time.map((each) => each ?? at('10:30')),
  })
  fc.assert(
    fc.property(order, fc.array(event, { maxLength: 6 }), (each, events) => {
      const steps = timeline(each, events)
      expect(steps[0]).toEqual({ stage: 'ordered', state: 'past', at: at('10:05') })
      const ends = steps.filter(({ state }) => state === 'now').length
      expect(ends).toBe(steps.some(({ state }) => state === 'ahead') ? 1 : 0)
      const times = steps.flatMap((step) => step.at?.getTime() ?? [])
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      if (isOver(each)) expect(ends).toBe(0)
    }),
    { numRuns: runs(2000) },
  )
})
