import { expect, test } from 'vitest'
import { acceptedBy } from '../../../src/domain/order/order.ts'
import { pesewas } from '../../../src/provider/money.ts'

const bulk = { kind: 'bulk', quantity: 3, unitPricePesewas: pesewas(2350) } as const

test.each([
  ['all of them', 3 * 2350, 3],
  ['two of them', 2 * 2350, 2],
  ['one of them', 2350, 1],
  ['an amount that nobody told: all', null, 3],
  ['nothing: all, for nothing was left out', 0, 3],
  ['no multiple of the price: all, at another one', 3 * 2350 - 50, 3],
  ['more than all: all, at another price', 4 * 2350, 3],
])('the charge of a bulk order for three tells how many were taken: %s', (_, charged, accepted) => {
  expect(acceptedBy(bulk, charged)).toBe(accepted)
})

test('a single order is for one, whatever it was charged with', () => {
  expect(acceptedBy({ ...bulk, kind: 'single', quantity: 1 }, 2 * 2350)).toBe(1)
})
