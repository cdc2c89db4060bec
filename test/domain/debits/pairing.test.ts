import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Evidence, weigh } from '../../../src/domain/debits/evidence.ts'
import type { Claimant, Debit } from '../../../src/domain/debits/matching.ts'
import { pair } from '../../../src/domain/debits/pairing.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { claimant, debit, sentAtMs } from '../../orders/claimants.ts'

const alone = { isShared: false }
const shared = { isShared: true }

/** The evidence of a debit about which the provider's record says no more than the debit itself. */
const byEntry = (owner: Claimant, entry: Debit): Evidence => {
  const record = { network: null, volume: null, phone: null, placedAtMs: entry.createdAtMs }
  return weigh(owner, entry, { record, namedFor: null })
}

const pairsOf = (claimants: Claimant[], debits: Debit[], circumstances = alone) =>
  pair(claimants, debits, byEntry, circumstances).pairs.map(
    ({ orderId, debit: { reference } }) => `${orderId} ${reference}`,
  )

describe('unconfirmed orders and the debits of a wallet', () => {
  const twins = [claimant({ orderId: 'a' }), claimant({ orderId: 'b', notBeforeMs: sentAtMs + 1_000 })]
  const both = [
    debit({ reference: 'BUD-API-LATE-2', createdAtMs: sentAtMs + 60_000 }),
    debit({ reference: 'BUD-API-EARLY-1' }),
  ]

  test('are paired one to one', () => {
    const own = debit()
    expect(pair([claimant()], [own], byEntry, alone)).toEqual({
      pairs: [{ orderId: 'a', debit: own }],
      doubtful: [],
      without: [],
    })
  })

  test('that all look the same are paired in the sequence of their times', () => {
    const expected = ['a BUD-API-EARLY-1', 'b BUD-API-LATE-2']
    expect(pairsOf(twins, both).toSorted()).toEqual(expected)
    expect(pairsOf(twins, both, shared).toSorted()).toEqual(expected)
  })

  test('are paired only if there are as many debits as orders', () => {
    const nothing = { pairs: [], without: [] }
    expect(pair(twins, [debit()], byEntry, alone)).toEqual({ ...nothing, doubtful: ['a', 'b'] })
    expect(pair([claimant()], both, byEntry, alone)).toEqual({ ...nothing, doubtful: ['a'] })
  })

  test('are not paired while another order that may claim the debit is being sent', () => {
    const sending = claimant({ orderId: 'b', sending: true })
    expect(pair([claimant(), sending], both, byEntry, alone)).toEqual({
      pairs: [],
      doubtful: ['a'],
      without: [],
    })
  })

  test('are not paired if the debit is too early, and the order then has no debit', () => {
    expect(pair([claimant()], [debit({ createdAtMs: 0 })], byEntry, alone).without).toEqual(['a'])
  })
})

describe('a debit that resembles an order without proving it', () => {
  const nameless = debit({ reference: null })

  test('is paired with no order, and leaves that order in doubt', () => {
    expect(pair([claimant()], [nameless], byUnknown, alone).doubtful).toEqual(['a'])
    const early = debit({ createdAtMs: sentAtMs - 1_000 })
    expect(pair([claimant()], [early], byEntry, alone).doubtful).toEqual(['a'])
  })

  test('leaves the order in doubt although another debit fits it, if the resembling debit names the order’s number', () => {
    const own = debit()
    const weighed = (owner: Claimant, entry: Debit) =>
      entry === own ? byEntry(owner, entry) : byUnknown(owner, entry)
    expect(pair([claimant()], [own, nameless], weighed, alone).doubtful).toEqual(['a'])
    const wordless = debit({ reference: null, description: null })
    expect(pair([claimant()], [own, wordless], weighed, alone).pairs).toEqual([{ orderId: 'a', debit: own }])
  })
})

const byUnknown = (owner: Claimant, entry: Debit) =>
  weigh(owner, entry, { record: 'unknown', namedFor: null })

describe('bulk orders of the same size and price', () => {
  const phones = (first: number, count = 3) =>
    Array.from({ length: count }, (_, index) => `02412345${first + index}`)
  const list = (orderId: string, first: number, count = 3) =>
    claimant({ orderId, kind: 'bulk', phones: phones(first, count) })
  const total = (number: number, count = 3) =>
    debit({
      reference: `BUD-BULK-AA-${number}`,
      amountPesewas: pesewas(count * 2350),
      description: 'MTN 5GB',
    })

  test('are left in doubt if each debit may belong to either order', () => {
    expect(pair([list('a', 10), list('b', 20)], [total(1), total(2)], byEntry, alone)).toEqual({
      pairs: [],
      doubtful: ['a', 'b'],
      without: [],
    })
  })

  test('are paired with debits that can each belong to only one of the orders', () => {
    const lists = [list('a', 10), list('b', 20, 5)]
    expect(pairsOf(lists, [total(1), total(2, 5)]).toSorted()).toEqual(['a BUD-BULK-AA-1', 'b BUD-BULK-AA-2'])
  })

  test('are paired with debits if both orders have the same numbers', () => {
    expect(pairsOf([list('a', 10), list('b', 10)], [total(1), total(2)])).toHaveLength(2)
  })

  test('are paired with the only debit if there is only one of them and nobody else uses the key', () => {
    expect(pairsOf([list('a', 10)], [total(1)])).toEqual(['a BUD-BULK-AA-1'])
    expect(pair([list('a', 10)], [total(1)], byEntry, shared).doubtful).toEqual(['a'])
  })
})

test('pairing uses no debit twice, gives no order two debits, and decides on every order once', () => {
  const someClaimants = fc.array(
    fc.record({
      phone: fc.integer({ min: 0, max: 2 }),
      sending: fc.boolean(),
      at: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 6 },
  )
  const someDebits = fc.array(
    fc.record({
      phone: fc.option(fc.integer({ min: 0, max: 2 })),
      at: fc.integer({ min: 0, max: 8 }),
      isKnown: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(someClaimants, someDebits, fc.boolean(), (orders, entries, isShared) => {
      const claimants = orders.map(({ phone, sending, at }, index) =>
        claimant({
          orderId: `o${index}`,
          phones: [`024123456${phone}`],
          sending,
          notBeforeMs: sentAtMs + at,
        }),
      )
      const debits = entries.map(({ phone, at, isKnown }, index) =>
        debit({
          reference: isKnown ? `BUD-API-X-${index}` : null,
          description: phone === null ? null : `MTN 5GB 024123456${phone}`,
          createdAtMs: sentAtMs + at,
        }),
      )
      const weighed = (owner: Claimant, entry: Debit) =>
        entry.reference === null ? byUnknown(owner, entry) : byEntry(owner, entry)
      const { pairs, doubtful, without } = pair(claimants, debits, weighed, { isShared })
      expect(new Set(pairs.map(({ debit: given }) => given)).size).toBe(pairs.length)
      const told = [...pairs.map(({ orderId }) => orderId), ...doubtful, ...without]
      const open = claimants.filter(({ sending }) => !sending).map(({ orderId }) => orderId)
      expect(told.toSorted()).toEqual(open.toSorted())
      const evidenceOf = (orderId: string, entry: Debit) => {
        const owner = claimants.find((each) => each.orderId === orderId)
        return owner ? weighed(owner, entry).kind : 'none'
      }
      for (const { orderId, debit: given } of pairs) expect(evidenceOf(orderId, given)).toBe('adoptable')
      for (const orderId of without) {
        expect(debits.map((entry) => evidenceOf(orderId, entry)).filter((kind) => kind !== 'none')).toEqual(
          [],
        )
      }
    }),
  )
})
