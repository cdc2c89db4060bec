import { expect, test } from 'vitest'
import type { PriceTier } from '../../../../src/domain/selling/price-rule.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import { maxTiers } from '../../../../src/shop/written-tier.ts'
import * as words from '../../../../src/telegram/features/selling/price-tiers-words.ts'
import { expectLabel, readAsTelegram } from '../../words/outside.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const tierOf = ({ money, flag }: Pick<Values, 'money' | 'flag'>): PriceTier => ({
  network: flag ? 'AirtelTigo' : null,
  fromMegabytes: 10_000,
  rule: { kind: 'plus', pesewas: money, roundPesewas: pesewas(50) },
})
const bundleOf = ({ text, money }: Pick<Values, 'text' | 'money'>) => ({
  network: text,
  name: '10GB',
  costPesewas: money,
  sellPesewas: money,
  isOwn: false,
})
const faults = ['unreadable', 'comma', 'negative', 'fraction', 'huge', 'rounding', 'scope'] as const

const wording: Wording<typeof words> = {
  tierLabel: (each) => words.tierLabel(tierOf(each)),
  newTierLabel: ({ text }) => words.newTierLabel(text),
  tiersScreen: (each) =>
    [0, 1, 2, maxTiers].flatMap((count) =>
      [null, tierOf(each).rule].map((rest) =>
        words.tiersScreen(
          Array.from({ length: count }, () => ({
            tier: tierOf(each),
            example: each.flag ? bundleOf(each) : null,
          })),
          rest,
        ),
      ),
    ),
  tierScreen: (each) => [
    words.tierScreen(tierOf(each), tierOf(each).rule, bundleOf(each)),
    words.tierScreen(tierOf(each), tierOf(each).rule, null),
    words.tierScreen({ network: 'MTN', fromMegabytes: null }, null, null),
  ],
  notATier: () => faults.map(words.notATier),
  tierSaved: (each) => [words.tierSaved(null), words.tierSaved(tierOf(each).rule)],
}

testTexts(words, wording, { plain: ['tierLabel', 'newTierLabel'] })

test('a screen with the greatest number of price tiers fits in one message, and each tier fits its button', () => {
  const rule = { kind: 'plus', pesewas: pesewas(100_000), roundPesewas: pesewas(1_000) } as const
  const tier = { network: 'AirtelTigo', fromMegabytes: 99_999_999, rule }
  const example = bundleOf({ text: 'AirtelTigo', money: pesewas(9_999_999) })
  readAsTelegram(
    words.tiersScreen(
      Array.from({ length: maxTiers }, () => ({ tier, example })),
      rule,
    ),
  )
  expectLabel(words.tierLabel(tier), 48)
  expect(words.tierLabel(tier)).toBe('AirtelTigo from 99999.999GB · +1,000.00')
  expect(words.tierLabel({ network: null, fromMegabytes: 500, rule })).toBe('All from 500MB · +1,000.00')
})
