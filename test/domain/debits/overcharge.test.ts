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
  ...{ key, reference: 'BUD-API-AB12CD-1', amountPesewas: pesewas(amount), createdAtMs },
})

test('one debit of the price is all that an order costs, and a smaller one is no overcharge', () => {
  expect(overchargeIn(order, [debit('a', 465)])).toBeNull()
  expect(overchargeIn(order, [debit('a', 400)])).toBeNull()
})

test('each debit after the earliest is beyond the price, in whatever order they are listed', () => {
  const debits = [debit('late', 465, 3_600_000), debit('own', 465, 0), debit('soon', 465, 1_000)]
  const found = overchargeIn(order, debits)
  expect(found).toMatchObject({ debits: 3, chargedPesewas: 1_395, extraPesewas: 930 })
  expect(found?.extraKeys).toEqual(['soon', 'late'])
})

test('one debit above the price is an overcharge by the rest', () => {
  expect(overchargeIn(order, [debit('a', 500)])).toEqual({
    ...{ debits: 1, chargedPesewas: 500, extraPesewas: 35, extraKeys: ['a'] },
  })
})

test('an overcharge that is known is compared with the price, not with itself', () => {
  const known = { ...order, chargedPesewas: pesewas(930), extraPesewas: pesewas(465) }
  const debits = [debit('a', 465), debit('b', 465, 1), debit('c', 465, 2)]
  expect(overchargeIn(known, debits)?.extraPesewas).toBe(930)
})

test('the price of an order whose answer did not name it is the confirmed one', () => {
  const bulk = { ...order, chargedPesewas: null, quantity: 3 }
  expect(overchargeIn(bulk, [debit('a', 1_395)])).toBeNull()
  expect(overchargeIn(bulk, [debit('a', 1_395), debit('b', 1_395)])?.extraPesewas).toBe(1_395)
})

test('a debit long after the order may be a second one', () => {
  const placedAt = new Date(0)
  expect(mayBeSecond({ placedAt }, debit('a', 465, 60_000))).toBe(false)
  expect(mayBeSecond({ placedAt }, debit('a', 465, 3_600_000))).toBe(true)
  expect(mayBeSecond({ placedAt: null }, debit('a', 465, 3_600_000))).toBe(false)
})
