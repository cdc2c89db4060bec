import { describe, expect, test } from 'vitest'
import { fitsRecord, mayBelong, mayBelongByRecord } from '../../../src/domain/debits/matching.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { claimant, debit, sentAtMs } from '../../orders/claimants.ts'

describe('a debit', () => {
  test.each([
    'MTN 5GB for 0241234567',
    '5gb mtn - 0241234567',
    'Data bundle (mtn) 233241234567 5 GB',
    'order: +233241234567, 5GB, MTN',
    'MTN 5GB 024-123-4567',
    'Data purchase',
    '',
  ])('may belong to an order if its description is “%s”', (description) => {
    expect(mayBelong(claimant(), debit({ description }))).toBe(true)
  })

  test.each([
    'MTN 5GB for 0241234568',
    'MTN 10GB for 0241234567',
    'Telecel 5GB for 0241234567',
    'MTN 5MB for 0241234567',
  ])('cannot belong to an order of MTN 5GB for 0241234567 if its description is “%s”', (description) => {
    expect(mayBelong(claimant(), debit({ description }))).toBe(false)
  })

  test('may belong to an order only if the debit is not earlier than the send', () => {
    expect(mayBelong(claimant(), debit({ createdAtMs: sentAtMs - 1 }))).toBe(false)
    expect(mayBelong(claimant(), debit({ createdAtMs: null }))).toBe(true)
    expect(mayBelong(claimant(), debit({ reference: null }))).toBe(true)
  })

  test('whose amount does not fit a bulk order’s price may belong to that order only by its record', () => {
    const bulk = claimant({ kind: 'bulk', phones: ['0241234567', '0241234568'] })
    const other = debit({ reference: 'BUD-BULK-AAAA-1', amountPesewas: pesewas(4_800) })
    expect(mayBelong(bulk, other)).toBe(false)
    expect(mayBelongByRecord(bulk, other)).toBe(true)
    expect(mayBelongByRecord(bulk, { ...other, createdAtMs: sentAtMs - 1 })).toBe(false)
  })

  test('may belong to a bulk order if its amount is the price of some or all of the recipients', () => {
    const bulk = claimant({ kind: 'bulk', phones: ['0241234567', '0241234568', '0241234569'] })
    const total = (amount: number, reference = 'BUD-BULK-AAAA-1') =>
      mayBelong(bulk, debit({ reference, amountPesewas: pesewas(amount), description: null }))
    expect(total(7050)).toBe(true)
    expect(total(4700)).toBe(true)
    expect(total(9400)).toBe(false)
    expect(total(2351)).toBe(false)
    expect(total(7050, 'BUD-API-AAAA-1')).toBe(false)
    expect(mayBelong(claimant(), debit({ reference: 'BUD-BULK-AAAA-1' }))).toBe(false)
  })
})

test('a debit fits an order by its record if the number, bundle and time are the order’s', () => {
  const record = { network: 'MTN', volume: '5GB', phone: '0241234567', placedAtMs: sentAtMs + 1_000 }
  expect(fitsRecord(claimant(), record)).toBe(true)
  expect(fitsRecord(claimant(), { ...record, phone: '0551234567' })).toBe(false)
  expect(fitsRecord(claimant(), { ...record, volume: '10GB' })).toBe(false)
  expect(fitsRecord(claimant(), { ...record, placedAtMs: sentAtMs - 1 })).toBe(false)
  expect(fitsRecord(claimant(), { ...record, quantity: 2 })).toBe(false)
  expect(fitsRecord(claimant(), { ...record, phones: ['0241234567'] })).toBe(true)
  expect(fitsRecord(claimant(), { ...record, phones: ['0241234567', '0551234567'] })).toBe(false)
})
