import { describe, expect, test } from 'vitest'
import {
  type AttemptOutcome,
  maxUnreachable,
  mayGo,
  type Placement,
  type PlacementStep,
  placements,
  provable,
  sourcesOf,
  stepAfter,
} from '../../../src/domain/order/placement.ts'
import type { UnconfirmedReason } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'

describe('the table of placements', () => {
  /** The arrows of the life of an order. The one from `queued` to `unconfirmed` is for restored backups. */
  const designed: Record<Placement, Placement[]> = {
    queued: ['sending', 'cancelled', 'superseded', 'unconfirmed'],
    sending: ['queued', 'placed', 'rejected', 'unconfirmed', 'not_placed'],
    unconfirmed: ['placed', 'not_placed', 'review'],
    review: ['placed', 'not_placed'],
    rejected: ['placed'],
    not_placed: ['placed'],
    placed: ['unconfirmed'],
    cancelled: [],
    superseded: [],
  }

  test.each(placements)('lets an order go from “%s” only to the placements that may follow', (from) => {
    expect(placements.filter((to) => mayGo(from, to))).toEqual(
      placements.filter((to) => designed[from].includes(to)),
    )
  })

  test('never lets an unconfirmed order be sent again', () => {
    const reachable = new Set<Placement>(['unconfirmed'])
    for (const from of reachable) for (const to of placements) if (mayGo(from, to)) reachable.add(to)
    expect([...reachable].sort()).toEqual(['not_placed', 'placed', 'review', 'unconfirmed'])
  })

  test('lets only queued orders be sent, and lets placed orders become unconfirmed and nothing else', () => {
    expect(sourcesOf('sending')).toEqual(['queued'])
    expect(sourcesOf('queued')).toEqual(['sending'])
    expect(placements.filter((to) => mayGo('placed', to))).toEqual(['unconfirmed'])
  })

  test('accepts proof of a charge in every placement in which the provider may have the order', () => {
    expect([...provable].sort()).toEqual(['not_placed', 'rejected', 'review', 'sending', 'unconfirmed'])
  })
})

describe('the placement of an order after an attempt to send it', () => {
  const meta = { httpStatus: 200, sentAt: new Date(0), receivedAt: new Date(0), serverDate: null }
  const outcomes: [name: string, AttemptOutcome, PlacementStep][] = [
    [
      'a reference makes the order placed, with its charge and the balance',
      {
        kind: 'placed',
        order: {
          reference: 'BUD-API-A-1',
          status: 'processing',
          placedAt: new Date(0),
          chargedPesewas: pesewas(2350),
          acceptedQuantity: 1,
        },
        walletBalancePesewas: pesewas(100),
        message: null,
        meta,
      },
      {
        to: 'placed',
        reference: 'BUD-API-A-1',
        status: 'processing',
        chargedPesewas: pesewas(2350),
        acceptedQuantity: 1,
        balancePesewas: pesewas(100),
        placedAt: new Date(0),
      },
    ],
    [
      'a 429 queues the order again and freezes the account',
      { kind: 'not_sent', reason: 'rate_limited', retryAfterMs: 7000, meta },
      { to: 'queued', reason: 'rate_limited', waitMs: 7000, freezes: true },
    ],
    [
      'an attempt whose lease was too short queues the order again',
      { kind: 'not_sent', reason: 'refused_start', detail: '' },
      { to: 'queued', reason: 'interrupted', waitMs: 0, freezes: false },
    ],
    [
      'an attempt aborted before the first byte queues the order again',
      { kind: 'not_sent', reason: 'aborted', detail: '' },
      { to: 'queued', reason: 'interrupted', waitMs: 0, freezes: false },
    ],
    [
      'an order that makes no valid request is not placed',
      { kind: 'not_made' },
      { to: 'not_placed', reason: 'not_made' },
    ],
  ]

  test.each(outcomes)('depends on the outcome: %s', (_, outcome, step) => {
    for (const attempts of [0, 1, 99]) expect(stepAfter(outcome, attempts)).toEqual(step)
  })

  test.each([
    [400, 'invalid'],
    [401, 'unauthorized'],
    [402, 'balance'],
    [404, 'not_found'],
    [409, 'pending'],
    [422, 'unprocessable'],
  ] as const)(
    'is “rejected” after the HTTP status %i, with a reason and the provider’s own words',
    (httpStatus, reason) => {
      const refusal = { kind: 'rejected', httpStatus, type: 'ITS_WORD', error: 'no', meta } as const
      for (const attempts of [0, 99]) {
        const step = { to: 'rejected', reason, type: 'ITS_WORD' }
        expect(stepAfter({ ...refusal, message: 'why' }, attempts)).toEqual({ ...step, message: 'why' })
        expect(stepAfter({ ...refusal, message: null }, attempts)).toEqual({ ...step, message: 'no' })
      }
    },
  )

  const unknowns = Object.keys({
    timeout: true,
    aborted: true,
    connection_lost: true,
    too_large: true,
    server_error: true,
    unexpected_status: true,
    bad_answer: true,
  } satisfies Record<UnconfirmedReason, true>) as UnconfirmedReason[]
  test.each(unknowns)('is “unconfirmed” after the fault %s, however often the order was tried', (reason) => {
    for (const attempts of [0, 1, 99]) {
      const step = stepAfter(
        { kind: 'unconfirmed', reason, httpStatus: null, detail: '', meta: null },
        attempts,
      )
      expect(step).toEqual({ to: 'unconfirmed', reason })
    }
  })

  test('is “queued” twice if the provider is unreachable, and “not_placed” the third time', () => {
    const steps = [0, 1, 2, 3].map((attempts) =>
      stepAfter({ kind: 'not_sent', reason: 'unreachable', detail: '' }, attempts),
    )
    expect(steps).toEqual([
      { to: 'queued', reason: 'unreachable', waitMs: 2000, freezes: false },
      { to: 'queued', reason: 'unreachable', waitMs: 6000, freezes: false },
      { to: 'not_placed', reason: 'unreachable' },
      { to: 'not_placed', reason: 'unreachable' },
    ])
    expect(maxUnreachable).toBe(3)
  })

  test('is always one that may follow “sending”', () => {
    const unreachable = { kind: 'not_sent', reason: 'unreachable', detail: '' } as const
    const steps = [
      ...outcomes.map(([, , step]) => step),
      stepAfter(unreachable, 0),
      stepAfter(unreachable, 2),
      { to: 'rejected' } as const,
      { to: 'unconfirmed' } as const,
    ]
    for (const { to } of steps) expect(mayGo('sending', to)).toBe(true)
    expect(new Set(steps.map(({ to }) => to))).toEqual(
      new Set(placements.filter((to) => mayGo('sending', to))),
    )
  })
})
