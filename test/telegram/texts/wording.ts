import fc from 'fast-check'
import { test } from 'vitest'
import { placements } from '../../../src/orders/placement.ts'
import { orderStatuses } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { SeenOrder } from '../../../src/telegram/viewer.ts'
import { now, orderWith, recipientsOf } from './any-order.ts'
import { hostileName, outside, readAsTelegram } from './outside.ts'

const reasons = [
  ...['stale', 'waits', 'rate_limited', 'unreachable', 'interrupted', 'bundle_gone', 'by_person', 'timeout'],
  ...['not_made', 'mistaken', 'late_doubt', 'likely', 'unexplained', 'hinted'],
  ...['history_unreadable', 'charged_by_person', 'disconnected', 'constructor'],
  ...['invalid', 'unauthorized', 'balance', 'not_found', 'pending', 'unprocessable'],
]
const amount = fc.nat(10 ** 9).map(pesewas)
const anyTime = fc.option(fc.constant(now))

const orderSeed = fc.record({
  foreign: fc.record({ network: hostileName, volume: hostileName }),
  optional: fc.record({
    offerSlug: fc.option(hostileName),
    providerMessage: fc.option(hostileName),
    reference: fc.option(hostileName),
    status: fc.option(hostileName),
  }),
  known: fc.record(
    {
      status: fc.constantFrom(...orderStatuses),
      placement: fc.constantFrom(...placements),
      reason: fc.constantFrom(null, ...reasons),
      statusReported: fc.boolean(),
      chargedPesewas: fc.option(amount),
      balancePesewas: fc.option(amount),
      placedAt: anyTime,
      deliveredAt: anyTime,
      notBefore: anyTime,
      settleAt: anyTime,
      quantity: fc.integer({ min: 1, max: 100 }),
    },
    { requiredKeys: ['placement', 'quantity'] },
  ),
})
type OrderSeed = typeof orderSeed extends fc.Arbitrary<infer Seed> ? Seed : never

const orderOf = ({ foreign, optional, known }: OrderSeed): SeenOrder => {
  const named = (name: keyof typeof outside | null) => name && outside[name]
  return orderWith({
    network: outside[foreign.network],
    volume: outside[foreign.volume],
    offerSlug: named(optional.offerSlug),
    providerMessage: named(optional.providerMessage),
    reference: named(optional.reference),
    status: named(optional.status),
    ...known,
    recipients: recipientsOf(known.quantity),
  })
}

const seed = fc.record({
  name: hostileName,
  order: orderSeed,
  other: fc.option(orderSeed),
  count: fc.nat(200),
  flag: fc.boolean(),
  money: fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map(pesewas),
})
type Seed = typeof seed extends fc.Arbitrary<infer Each> ? Each : never

const valuesOf = ({ name, order, other, ...rest }: Seed) => ({
  ...rest,
  text: outside[name],
  order: orderOf(order),
  other: other && orderOf(other),
})
export type Values = ReturnType<typeof valuesOf>

export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** How a request to the provider may fail. */
const failures = [
  'unauthorized',
  'rate_limited',
  'no_wallet',
  'timeout',
  'unreachable',
  'connection_lost',
  'bad_answer',
]
export const failureOf = ({ count }: Values) => ({
  code: failures[count % failures.length] ?? '',
  retryAfterMs: count % 2 ? count * 1000 : null,
})

/** A row for every text of a file that has values in it; the compiler misses the one that is not here. */
export type Wording<Catalogue> = {
  [Name in keyof Catalogue as Catalogue[Name] extends (...args: never[]) => string ? Name : never]: (
    values: Values,
  ) => string
}

/** Each text of a file of the catalogue is one that Telegram takes, whatever the values in it. */
export const testTexts = <Catalogue extends object>(
  catalogue: Catalogue,
  wording: Record<string, (values: Values) => string>,
  numRuns = 200,
): void => {
  test.each(Object.entries(wording))(
    '%s is a text that Telegram takes, whatever the values in it',
    (name, make) => {
      fc.assert(
        fc.property(seed, (each) => {
          readAsTelegram(make(valuesOf(each)), name)
        }),
        { numRuns },
      )
    },
  )

  const fixed = Object.entries(catalogue).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  if (fixed.length > 0)
    test.each(fixed)('%s is a text that Telegram takes', (name, text) => {
      readAsTelegram(text, name)
    })
}
