import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hasPrices,
  type PriceRule,
  type Shop,
  type Sold,
  sellingPrice,
  type TierScope,
} from '../../../src/domain/selling/price-rule.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { runs } from '../../support/runs.ts'
import { aShop } from '../a-shop.ts'

const sold: Sold = { bundleId: 5, network: 'MTN', volume: '5GB' }
const plus = (amount: number): PriceRule => ({
  kind: 'plus',
  pesewas: pesewas(amount),
  roundPesewas: pesewas(1),
})

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
  sellingPrice({ ...aShop, rule }, sold, pesewas(amount))

const asked = (rule: PriceRule, amount: number): number =>
  rule.kind === 'plus' ? amount + rule.pesewas : (amount * (1_000 + rule.tenths)) / 1_000

describe('a selling price', () => {
  test('is rounded up to the next multiple that the rule sets', () => {
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

  test('is never lower for a bundle with a higher cost', () => {
    fc.assert(
      fc.property(anyRule, cost, cost, (rule, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        expect(priceBy(rule, less) ?? 0).toBeLessThanOrEqual(priceBy(rule, more) ?? 0)
      }),
    )
  })

  test.each([
    ['2.00 more', 2350, 2550, { kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(1) }],
    [
      '2.00 more, rounded to 0.50',
      2350,
      2550,
      { kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(50) },
    ],
    [
      '2.00 more, rounded to 1.00',
      2350,
      2600,
      { kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(100) },
    ],
    ['10 % more, rounded to 0.10', 2350, 2590, { kind: 'percent', tenths: 100, roundPesewas: pesewas(10) }],
    ['7.5 % more', 10, 11, { kind: 'percent', tenths: 75, roundPesewas: pesewas(1) }],
    ['no rule', 2350, null, null],
  ] satisfies [string, number, number | null, PriceRule | null][])(
    'by the rule “%s” for a cost of %i pesewas is %j',
    (_, amount, price, rule) => {
      expect(priceBy(rule, amount)).toBe(price)
    },
  )
})

test('a bundle’s own selling price overrides the shop’s rule and tiers', () => {
  const own = new Map([[5, pesewas(2000)]])
  const tiers = [{ network: 'MTN', fromMegabytes: null, rule: plus(300) }]
  expect(sellingPrice({ rule: plus(200), tiers, own }, sold, pesewas(2350))).toBe(2000)
  expect(sellingPrice({ rule: null, tiers: [], own }, sold, pesewas(2350))).toBe(2000)
  const other = { ...sold, bundleId: 6 }
  expect(sellingPrice({ rule: plus(200), tiers: [], own }, other, pesewas(2350))).toBe(2550)
})

const sizes = [null, 500, 1_000, 5_000, 10_000, 20_000]
const scopes: TierScope[] = [null, 'MTN', 'Telecel']
  .flatMap((network) => sizes.map((fromMegabytes) => ({ network, fromMegabytes })))
  .filter(({ network, fromMegabytes }) => network !== null || fromMegabytes !== null)
const anyTiers = fc
  .uniqueArray(fc.nat(scopes.length - 1))
  .map((chosen) => chosen.map((at) => ({ ...(scopes[at] as TierScope), rule: plus(at + 1) })))

/** The size of each volume in megabytes. “Unlimited” has none. */
const megabytes: Record<string, number> = {
  '100MB': 100,
  '500MB': 500,
  '1GB': 1_000,
  '1024MB': 1_024,
  '4.999GB': 4_999,
  '5GB': 5_000,
  '10GB': 10_000,
  '50GB': 50_000,
  Unlimited: 0,
}
const anySold = fc.record({
  bundleId: fc.constant(5),
  network: fc.constantFrom('MTN', 'Telecel', 'BigTime'),
  volume: fc.constantFrom(...Object.keys(megabytes)),
})

/** Finds the rule in the simplest way: tries each scope in turn, the most specific first. */
const byHand = (shop: Pick<Shop, 'rule' | 'tiers'>, { network, volume }: Sold): PriceRule | null => {
  const reached = sizes.filter((from) => from !== null && from <= (megabytes[volume] ?? 0)).toReversed()
  const order = [...[...reached, null].map((from) => [network, from]), ...reached.map((from) => [null, from])]
  for (const [of, from] of order) {
    const tier = shop.tiers.find((each) => each.network === of && each.fromMegabytes === from)
    if (tier) return tier.rule
  }
  return shop.rule
}

describe('in a shop with price tiers', () => {
  test('a price is set by the tier for its network and size, else for its network, else for its size', () => {
    fc.assert(
      fc.property(anyTiers, fc.option(anyRule), anySold, cost, (tiers, rule, each, amount) => {
        const shop = { ...aShop, rule, tiers }
        const expected = sellingPrice({ ...aShop, rule: byHand(shop, each) }, each, amount)
        expect(sellingPrice(shop, each, amount)).toBe(expected)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('the sequence in which the tiers were set does not matter', () => {
    fc.assert(
      fc.property(anyTiers, anySold, cost, (tiers, each, amount) => {
        const price = sellingPrice({ ...aShop, tiers }, each, amount)
        expect(sellingPrice({ ...aShop, tiers: tiers.toReversed() }, each, amount)).toBe(price)
      }),
    )
  })

  test('the tiers of other networks do not matter', () => {
    fc.assert(
      fc.property(anyTiers, fc.option(anyRule), anySold, cost, (tiers, rule, each, amount) => {
        const others = tiers.map((tier) => ({ ...tier, network: 'AirtelTigo' }))
        const price = sellingPrice({ ...aShop, rule, tiers: others }, each, amount)
        expect(price).toBe(sellingPrice({ ...aShop, rule }, each, amount))
      }),
    )
  })

  test('tiers alone are enough to have selling prices, and so is a rule alone or a bundle’s own price', () => {
    expect(hasPrices(aShop)).toBe(false)
    expect(hasPrices({ ...aShop, rule: plus(1) })).toBe(true)
    expect(hasPrices({ ...aShop, tiers: [{ network: null, fromMegabytes: 1, rule: plus(1) }] })).toBe(true)
    expect(hasPrices({ ...aShop, own: new Map([[1, pesewas(1)]]) })).toBe(true)
  })
})
