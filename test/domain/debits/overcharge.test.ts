import { expect, test } from 'vitest'
import { mayBeSecond, overchargeIn } from '../../../src/domain/debits/overcharge.ts'
import { pesewas } from '../../../src/provider/money.ts'

const order = {
  chargedPesewas: pesewas(465),
  extraPesewas: null,
  unitPricePesewas: pesewas(465),
  quantity: 1,
}
const debit = (key: string, amount: number, createdAtMs: number | null = 0) => ({
  key,
  reference: 'BUD-API-AB12CD-1',
  amountPesewas: pesewas(amount),
  createdAtMs,
})

test('an order with one debit of its price or less is not overcharged', () => {
  expect(overchargeIn(order, [debit('a', 465)])).toBeNull()
  expect(overchargeIn(order, [debit('a', 400)])).toBeNull()
})

test('every debit of an order except the earliest is an overcharge, in whatever sequence they are listed', () => {
  const debits = [debit('late', 465, 3_600_000), debit('own', 465, 0), debit('soon', 465, 1_000)]
  const found = overchargeIn(order, debits)
  expect(found).toMatchObject({ debits: 3, chargedPesewas: 1_395, extraPesewas: 930 })
  expect(found?.extraKeys).toEqual(['soon', 'late'])
})

test('one debit above the price of its order is an overcharge by the difference', () => {
  expect(overchargeIn(order, [debit('a', 500)])).toEqual({
    debits: 1,
    chargedPesewas: 500,
    extraPesewas: 35,
    extraKeys: ['a'],
  })
})

test('a third debit raises an order’s overcharge to two prices, although an overcharge of one price is already known', () => {
  const known = { ...order, chargedPesewas: pesewas(930), extraPesewas: pesewas(465) }
  const debits = [debit('a', 465), debit('b', 465, 1), debit('c', 465, 2)]
  expect(overchargeIn(known, debits)?.extraPesewas).toBe(930)
})

test('an order whose answer named no charge is checked for an overcharge against its confirmed price', () => {
  const bulk = { ...order, chargedPesewas: null, quantity: 3 }
  expect(overchargeIn(bulk, [debit('a', 1_395)])).toBeNull()
  expect(overchargeIn(bulk, [debit('a', 1_395), debit('b', 1_395)])?.extraPesewas).toBe(1_395)
})

test('a debit an hour after an order was placed may be that order’s second debit, but a debit a minute after cannot', () => {
  const placedAt = new Date(0)
  expect(mayBeSecond({ placedAt }, debit('a', 465, 60_000))).toBe(false)
  expect(mayBeSecond({ placedAt }, debit('a', 465, 3_600_000))).toBe(true)
  expect(mayBeSecond({ placedAt: null }, debit('a', 465, 3_600_000))).toBe(false)
})
