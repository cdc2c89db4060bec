import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PriceRule, sellingPrice } from '../../src/journal/selling.ts'
import { pesewas } from '../../src/provider/money.ts'

const round = fc.constantFrom(1, 10, 50, 100, 3).map(pesewas)
const anyRule: fc.Arbitrary<PriceRule> = fc.oneof(
  fc.record({
    kind: fc.constant('plus' as const),
    pesewas: fc.nat(100_000).map(pesewas),
    roundPesewas: round,
  }),
  fc.record({ kind: fc.constant('percent' as const), tenths: fc.nat(9_000), roundPesewas: round }),
)
const cost = fc.nat(10_000_000).map(pesewas)

const priceBy = (rule: PriceRule | null, amount: number): number | null =>
  sellingPrice({ rule, own: new Map() }, 5, pesewas(amount))

const asked = (rule: PriceRule, amount: number): number =>
  rule.kind === 'plus' ? amount + rule.pesewas : (amount * (1_000 + rule.tenths)) / 1_000

describe('a price by the rule', () => {
  test('is whole pesewas, a multiple of the rounding, and never below what the rule asks', () => {
    fc.assert(
      fc.property(anyRule, cost, (rule, amount) => {
        const price = priceBy(rule, amount) ?? Number.NaN
        expect(Number.isSafeInteger(price)).toBe(true)
        expect(price % rule.roundPesewas).toBe(0)
        expect(price).toBeGreaterThanOrEqual(asked(rule, amount))
        expect(price - asked(rule, amount)).toBeLessThan(rule.roundPesewas)
      }),
    )
  })

  test('is never lower for what costs more', () => {
    fc.assert(
      fc.property(anyRule, cost, cost, (rule, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        expect(priceBy(rule, less) ?? 0).toBeLessThanOrEqual(priceBy(rule, more) ?? 0)
      }),
    )
  })

  test.each([
    [{ kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(1) }, 2350, 2550],
    [{ kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(50) }, 2350, 2550],
    [{ kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(100) }, 2350, 2600],
    [{ kind: 'percent', tenths: 100, roundPesewas: pesewas(10) }, 2350, 2590],
    [{ kind: 'percent', tenths: 75, roundPesewas: pesewas(1) }, 10, 11],
    [null, 2350, null],
  ] satisfies [PriceRule | null, number, number | null][])('%j makes of %i: %i', (rule, amount, price) => {
    expect(priceBy(rule, amount)).toBe(price)
  })
})

test('a bundle’s own price goes before the rule', () => {
  const rule: PriceRule = { kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(1) }
  const own = new Map([[5, pesewas(2000)]])
  expect(sellingPrice({ rule, own }, 5, pesewas(2350))).toBe(2000)
  expect(sellingPrice({ rule: null, own }, 5, pesewas(2350))).toBe(2000)
  expect(sellingPrice({ rule, own }, 6, pesewas(2350))).toBe(2550)
})
