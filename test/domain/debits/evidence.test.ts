import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DebitFacts, weigh } from '../../../src/domain/debits/evidence.ts'
import type { Claimant, Debit, DebitRecord } from '../../../src/domain/debits/matching.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { claimant, debit, sentAtMs } from '../../orders/claimants.ts'

const minute = 60_000
const record: DebitRecord = {
  network: 'MTN',
  volume: '5GB',
  phone: '0241234567',
  placedAtMs: sentAtMs + 1_000,
}
const known: DebitFacts = { record, namedFor: null }
const unknown: DebitFacts = { record: 'unknown', namedFor: null }
const lists = claimant({ kind: 'bulk', phones: ['0241234567', '0241234568'] })
const listDebit = debit({ reference: 'BUD-BULK-AA-1', amountPesewas: pesewas(4700), description: 'MTN 5GB' })

const kindOf = (debitPart: Partial<Debit>, facts: DebitFacts, claimantPart: Partial<Claimant> = {}) =>
  weigh(claimant(claimantPart), debit(debitPart), facts).kind

test('a debit whose record fits an order probably belongs to it, and certainly if a callback named its reference', () => {
  expect(weigh(claimant(), debit(), known)).toEqual({ kind: 'adoptable', names: true })
  expect(kindOf({}, { ...known, namedFor: 'a' })).toBe('proven')
  expect(kindOf({}, { ...known, namedFor: 'b' })).toBe('none')
})

describe('a debit that resembles an order does not prove it', () => {
  test('if the look-up does not find the debit’s reference', () => {
    expect(weigh(claimant(), debit(), unknown)).toEqual({ kind: 'suspicious', isRival: true })
    expect(weigh(claimant(), debit(), { ...unknown, namedFor: 'a' }).kind).toBe('suspicious')
  })

  test('if the debit has no reference', () => {
    const nameless = { reference: null }
    expect(weigh(claimant(), debit(nameless), unknown)).toEqual({ kind: 'suspicious', isRival: true })
    const wordless = debit({ ...nameless, description: null })
    expect(weigh(claimant(), wordless, unknown)).toEqual({ kind: 'suspicious', isRival: false })
    expect(
      weigh(lists, debit({ ...nameless, amountPesewas: pesewas(4700), description: null }), unknown).kind,
    ).toBe('suspicious')
  })

  test('if the debit is up to an hour earlier than the order was sent', () => {
    const early = { createdAtMs: sentAtMs - 59 * minute }
    expect(weigh(claimant(), debit(early), known)).toEqual({ kind: 'suspicious', isRival: false })
    expect(weigh(claimant(), debit(early), unknown)).toEqual({ kind: 'suspicious', isRival: false })
    const placedEarly = { ...known, record: { ...record, placedAtMs: sentAtMs - minute } }
    expect(kindOf({}, placedEarly)).toBe('suspicious')
    expect(kindOf({ createdAtMs: sentAtMs - 61 * minute }, known)).toBe('none')
  })
})

describe('a debit does not belong to an order', () => {
  test.each<[string, Partial<Debit>, DebitFacts]>([
    ['its description names another number', { description: 'MTN 5GB for 0241234568' }, unknown],
    ['its description names another bundle', { description: 'MTN 10GB for 0241234567' }, unknown],
    ['its reference is of another kind of order', { reference: 'BUD-BULK-AAAA-1' }, unknown],
    [
      'its description is empty and its amount differs from the price',
      { description: '', amountPesewas: pesewas(9_999) },
      unknown,
    ],
    ['its record names another number', {}, { ...known, record: { ...record, phone: '0551234567' } }],
  ])('if %s', (_what, part, facts) => {
    expect(kindOf(part, facts)).toBe('none')
  })
})

test('a debit whose record has other numbers than a bulk order does not belong to that order', () => {
  const whole = { ...record, phone: null, quantity: 2 }
  const weighed = (phones: string[] | null) =>
    weigh(lists, listDebit, { record: { ...whole, phones }, namedFor: null })
  expect(weighed(null)).toEqual({ kind: 'adoptable', names: false })
  expect(weighed(['0241234567', '0241234568'])).toEqual({ kind: 'adoptable', names: true })
  expect(weighed(['0241234567', '0551234567'])).toEqual({ kind: 'none' })
})

test('a debit that fits an order’s time, number and bundle is never ignored, whatever the look-up says', () => {
  const someReference = fc.constantFrom(null, 'BUD-API-AAAA-1', 'T-77')
  const someWords = fc.constantFrom('MTN 5GB for 0241234567', '5gb mtn 233241234567', 'Data 0241234567')
  const aTime = fc.integer({ min: -60 * minute, max: 24 * 60 * minute })
  const someFacts = fc.constantFrom<DebitFacts>(unknown, known)
  fc.assert(
    fc.property(someReference, someWords, aTime, someFacts, (reference, description, after, facts) => {
      expect(kindOf({ reference, description, createdAtMs: sentAtMs + after }, facts)).not.toBe('none')
    }),
  )
})
