import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placements } from '../../../src/domain/order/placement.ts'
import { readReason } from '../../../src/domain/order/reason.ts'
import { orderStatuses } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { SeenOrder } from '../../../src/telegram/cards/viewer.ts'
import { runs } from '../../support/runs.ts'
import { now, orderWith, recipientsOf } from './any-order.ts'
import { holes, hostileName, outside, readAsTelegram } from './outside.ts'

const reasons = [
  'stale',
  'waits',
  'rate_limited',
  'unreachable',
  'interrupted',
  'bundle_gone',
  'by_person',
  'timeout',
  'not_made',
  'mistaken',
  'late_doubt',
  'likely',
  'unexplained',
  'hinted',
  'history_unreadable',
  'charged_by_person',
  'disconnected',
  'constructor',
  'invalid',
  'unauthorized',
  'balance',
  'not_found',
  'pending',
  'unprocessable',
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
      reason: fc.constantFrom(null, ...reasons).map(readReason),
      statusReported: fc.boolean(),
      chargedPesewas: fc.option(amount),
      balancePesewas: fc.option(amount),
      placedAt: anyTime,
      deliveredAt: anyTime,
      notBefore: anyTime,
      reconcileAt: anyTime,
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

/** What an export says: one text, several, or none. */
type Said = string | null | readonly (string | null)[]

/** A table with a row for each export that makes texts. The compiler refuses a table in which a row is missing. */
export type Wording<Catalogue> = {
  [Name in keyof Catalogue as Catalogue[Name] extends (...args: never[]) => string | null | readonly string[]
    ? Name
    : never]: (values: Values) => Said
}

interface About {
  /** How many values each text is tried with. */
  numRuns?: number
  /** Texts without markup: labels and answers to presses. */
  plain?: readonly string[]
  /** Exports that make no text: pictures, names of files. */
  others?: readonly string[]
  /** Texts that agents read, each under a name. */
  toAgents?: Readonly<Record<string, (values: Values) => Said>>
}

const textsIn = (said: Said): string[] =>
  [said].flat().filter((text): text is string => text !== null && text !== undefined)

/** Tests that Telegram accepts each text of a file of words, whatever values the text contains. */
export const testTexts = <Catalogue extends object>(
  catalogue: Catalogue,
  wording: Readonly<Record<string, (values: Values) => Said>>,
  about: About = {},
): void => {
  const { numRuns = runs(60), plain = [], others = [], toAgents = {} } = about
  const fixed = Object.entries(catalogue).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const rows = Object.entries(wording)

  const read = (name: string, text: string): void => {
    if (!plain.includes(name)) readAsTelegram(text, name)
    else expect(text.isWellFormed() && !holes.test(text), text).toBe(true)
  }

  test('no text of the file of words is left untested', () => {
    const made = Object.entries(catalogue).filter(([, value]) => typeof value === 'function')
    const missing = made.map(([name]) => name).filter((name) => !(name in wording) && !others.includes(name))
    expect(missing).toEqual([])
  })

  if (rows.length > 0) {
    test.each(rows)('the text “%s” is valid for Telegram, whatever values it contains', (name, make) => {
      fc.assert(
        fc.property(seed, (each) => {
          for (const text of textsIn(make(valuesOf(each)))) read(name, text)
        }),
        { numRuns },
      )
    })
  }

  if (fixed.length > 0) {
    test.each(fixed)('the fixed text “%s” is valid for Telegram', (name, text) => {
      read(name, text)
    })
  }

  test('every text that is excepted from a test exists', () => {
    const names = new Set([...Object.keys(catalogue), ...Object.keys(wording)])
    expect([...plain, ...others].filter((name) => !names.has(name))).toEqual([])
  })

  if (Object.keys(toAgents).length > 0) {
    test.each(Object.entries(toAgents))(
      'the text “%s”, which agents read, never says “your wallet”',
      (_, make) => {
        fc.assert(
          fc.property(seed, (each) => {
            expect(textsIn(make(valuesOf(each))).join('\n')).not.toMatch(/\byour wallet\b/i)
          }),
        )
      },
    )
  }
}
