import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Claimant,
  type Debit,
  fitsRecord,
  mayBelong,
  mayBelongByRecord,
  pair,
} from '../../src/orders/matching.ts'

const sentAtMs = Date.UTC(2026, 0, 5, 10, 0)

const claimant = (part: Partial<Claimant> = {}): Claimant => ({
  orderId: 'a',
  sending: false,
  kind: 'single',
  network: 'MTN',
  volume: '5GB',
  phones: ['0241234567'],
  unitPricePesewas: 2350,
  notBeforeMs: sentAtMs,
  ...part,
})

const debit = (part: Partial<Debit> = {}): Debit => ({
  reference: 'BUD-API-AAAA-1',
  amountPesewas: 2350,
  description: 'MTN 5GB for 0241234567',
  createdAtMs: sentAtMs + 3_000,
  ...part,
})

describe('a debit may belong to an order', () => {
  test.each([
    'MTN 5GB for 0241234567',
    '5gb mtn - 0241234567',
    'Data bundle (mtn) 233241234567 5 GB',
    'order: +233241234567, 5GB, MTN',
    'MTN 5GB 024-123-4567',
    'Data purchase',
    '',
  ])('by its description “%s”', (description) => {
    expect(mayBelong(claimant(), debit({ description }))).toBe(true)
  })

  test.each([
    'MTN 5GB for 0241234568',
    'MTN 10GB for 0241234567',
    'Telecel 5GB for 0241234567',
    'MTN 5MB for 0241234567',
  ])('but not by “%s”', (description) => {
    expect(mayBelong(claimant(), debit({ description }))).toBe(false)
  })

  test('unless it stands before the send', () => {
    expect(mayBelong(claimant(), debit({ createdAtMs: sentAtMs - 1 }))).toBe(false)
    expect(mayBelong(claimant(), debit({ createdAtMs: null }))).toBe(true)
  })

  test('of a bulk order also with another price, and then its record decides', () => {
    const bulk = claimant({ kind: 'bulk', phones: ['0241234567', '0241234568'] })
    const other = debit({ reference: 'BUD-BULK-AAAA-1', amountPesewas: 4_800 })
    expect(mayBelong(bulk, other)).toBe(false)
    expect(mayBelongByRecord(bulk, other)).toBe(true)
    expect(mayBelongByRecord(bulk, { ...other, createdAtMs: sentAtMs - 1 })).toBe(false)
  })

  test('of a bulk order by its reference and a multiple of the price, up to what was sent', () => {
    const bulk = claimant({ kind: 'bulk', phones: ['0241234567', '0241234568', '0241234569'] })
    const total = (amountPesewas: number, reference = 'BUD-BULK-AAAA-1') =>
      mayBelong(bulk, debit({ reference, amountPesewas, description: null }))
    expect(total(7050)).toBe(true)
    expect(total(4700)).toBe(true)
    expect(total(9400)).toBe(false)
    expect(total(2351)).toBe(false)
    expect(total(7050, 'BUD-API-AAAA-1')).toBe(false)
    expect(mayBelong(claimant(), debit({ reference: 'BUD-BULK-AAAA-1' }))).toBe(false)
  })
})

test('the record of a debit’s order beats its description', () => {
  const record = { network: 'MTN', volume: '5GB', phone: '0241234567', placedAtMs: sentAtMs + 1_000 }
  expect(fitsRecord(claimant(), record)).toBe(true)
  expect(fitsRecord(claimant(), { ...record, phone: '0551234567' })).toBe(false)
  expect(fitsRecord(claimant(), { ...record, volume: '10GB' })).toBe(false)
  expect(fitsRecord(claimant(), { ...record, placedAtMs: sentAtMs - 1 })).toBe(false)
  expect(fitsRecord(claimant(), { ...record, quantity: 2 })).toBe(false)
})

describe('orders and debits pair up', () => {
  const twins = [claimant({ orderId: 'a' }), claimant({ orderId: 'b', notBeforeMs: sentAtMs + 1_000 })]

  test('one to one', () => {
    expect(pair([claimant()], [debit()], mayBelong)).toEqual({
      pairs: [{ orderId: 'a', reference: 'BUD-API-AAAA-1' }],
      doubtful: [],
      without: [],
    })
  })

  test('in the order of their times where nothing tells them apart', () => {
    const debits = [
      debit({ reference: 'BUD-API-LATE-2', createdAtMs: sentAtMs + 60_000 }),
      debit({ reference: 'BUD-API-EARLY-1' }),
    ]
    expect(pair(twins, debits, mayBelong).pairs).toEqual(
      expect.arrayContaining([
        { orderId: 'a', reference: 'BUD-API-EARLY-1' },
        { orderId: 'b', reference: 'BUD-API-LATE-2' },
      ]),
    )
  })

  test('not at all where there are fewer debits, or more', () => {
    const more = [debit(), debit({ reference: 'BUD-API-BBBB-2' })]
    expect(pair(twins, [debit()], mayBelong)).toEqual({ pairs: [], doubtful: ['a', 'b'], without: [] })
    expect(pair([claimant()], more, mayBelong)).toEqual({ pairs: [], doubtful: ['a'], without: [] })
  })

  test('not while one that may claim it is being sent', () => {
    const sending = claimant({ orderId: 'b', sending: true })
    const debits = [debit(), debit({ reference: 'BUD-API-BBBB-2' })]
    expect(pair([claimant(), sending], debits, mayBelong)).toEqual({
      pairs: [],
      doubtful: ['a'],
      without: [],
    })
  })

  test('not where no debit stands', () => {
    expect(pair([claimant()], [debit({ createdAtMs: 0 })], mayBelong).without).toEqual(['a'])
  })
})

test('no debit is given twice, no order gets two, and every order is accounted for once', () => {
  const someClaimants = fc.array(
    fc.record({
      phone: fc.integer({ min: 0, max: 2 }),
      sending: fc.boolean(),
      at: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 6 },
  )
  const someDebits = fc.array(
    fc.record({ phone: fc.option(fc.integer({ min: 0, max: 2 })), at: fc.integer({ min: 0, max: 8 }) }),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(someClaimants, someDebits, (orders, entries) => {
      const claimants = orders.map(({ phone, sending, at }, index) =>
        claimant({
          orderId: `o${index}`,
          phones: [`024123456${phone}`],
          sending,
          notBeforeMs: sentAtMs + at,
        }),
      )
      const debits = entries.map(({ phone, at }, index) =>
        debit({
          reference: `BUD-API-X-${index}`,
          description: phone === null ? null : `MTN 5GB 024123456${phone}`,
          createdAtMs: sentAtMs + at,
        }),
      )
      const { pairs, doubtful, without } = pair(claimants, debits, mayBelong)
      expect(new Set(pairs.map(({ reference }) => reference)).size).toBe(pairs.length)
      const told = [...pairs.map(({ orderId }) => orderId), ...doubtful, ...without]
      expect(told.toSorted()).toEqual(
        claimants
          .filter(({ sending }) => !sending)
          .map(({ orderId }) => orderId)
          .toSorted(),
      )
      for (const { orderId, reference } of pairs) {
        const owner = claimants.find((each) => each.orderId === orderId)
        const entry = debits.find((each) => each.reference === reference)
        expect(owner && entry && mayBelong(owner, entry)).toBe(true)
      }
      for (const orderId of without) {
        const owner = claimants.find((each) => each.orderId === orderId)
        expect(debits.some((entry) => owner && mayBelong(owner, entry))).toBe(false)
      }
    }),
  )
})
