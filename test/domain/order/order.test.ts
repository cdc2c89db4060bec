import { expect, test } from 'vitest'
import { acceptedBy } from '../../../src/domain/order/order.ts'
import { pesewas } from '../../../src/provider/money.ts'

const bulk = { kind: 'bulk', quantity: 3, unitPricePesewas: pesewas(2350) } as const

test.each([
  ['the price of three means three', 3 * 2350, 3],
  ['the price of two means two', 2 * 2350, 2],
  ['the price of one means one', 2350, 1],
  ['an unknown charge means three', null, 3],
  ['a charge of zero means three', 0, 3],
  ['a charge that is no multiple of the price means three', 3 * 2350 - 50, 3],
  ['a charge above the price of three means three', 4 * 2350, 3],
])('a bulk order for three numbers counts accepted numbers by its charge: %s', (_, charged, accepted) => {
  expect(acceptedBy(bulk, charged)).toBe(accepted)
})

test('a single order counts one accepted number, whatever its charge', () => {
  expect(acceptedBy({ ...bulk, kind: 'single', quantity: 1 }, 2 * 2350)).toBe(1)
})
