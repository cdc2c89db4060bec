import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PriceRule } from '../../src/domain/selling/price-rule.ts'
import { pesewas } from '../../src/provider/money.ts'
import { maxTierMegabytes, readTier } from '../../src/shop/written-tier.ts'

const none = { rule: null, tiers: [] }

/** `MTN 10000 +200/1`: the network, the minimum size, what is added, and what it rounds up to. */
const read = (text: string, present: Parameters<typeof readTier>[1] = none): string | null => {
  const written = readTier(text, present)
  if (written === null) return null
  if (written.kind === 'refused') return written.fault
  const { scope, rule } = written
  const added = rule.kind === 'plus' ? `+${rule.pesewas}` : `${rule.tenths / 10}%`
  return `${scope.network ?? '-'} ${scope.fromMegabytes ?? '-'} ${added}/${rule.roundPesewas}`
}

describe('a typed price tier', () => {
  test.each([
    ['MTN +1', 'MTN - +100/1'],
    ['mtn 1.50', 'MTN - +150/1'],
    ['Airtel Tigo: +1', 'AirtelTigo - +100/1'],
    ['big time 5%', 'BigTime - 5%/10'],
    ['vodafone + 2 round 0.50', 'Telecel - +200/50'],
    ['from 10GB +2', '- 10000 +200/1'],
    ['From 10 gb + 2', '- 10000 +200/1'],
    ['from 10 +2', '- 10000 +200/1'],
    ['from 500MB: 0.20', '- 500 +20/1'],
    ['from 1.005GB 1', '- 1005 +100/1'],
    ['10GB+ 5%', '- 10000 5%/10'],
    ['MTN from 10GB 5%', 'MTN 10000 5%/10'],
    ['MTN, from 10GB, +2', 'MTN 10000 +200/1'],
    ['MTN 10gb+ +2', 'MTN 10000 +200/1'],
  ])('of “%s” is understood', (text, tier) => {
    expect(read(text)).toBe(tier)
  })

  test.each([
    ['MTN', 'unreadable'],
    ['MTN -1', 'negative'],
    ['MTN 10GB 2', 'unreadable'],
    ['from 10GB', 'unreadable'],
    ['MTN 2,50', 'comma'],
    ['from 10GB 5000', 'huge'],
    ['MTN +1 round 500', 'rounding'],
  ])('of “%s” is refused (fault: %s)', (text, fault) => {
    expect(read(text)).toBe(fault)
  })

  test.each([
    ['“+2”', '+2'],
    ['“10%”', '10%'],
    ['“10GB”', '10GB'],
    ['“from”', 'from'],
    ['“from MTN +2”', 'from MTN +2'],
    ['“from 0GB +2”', 'from 0GB +2'],
    ['“GHS 2”', 'GHS 2'],
    ['a text of 101 characters', 'x'.repeat(101)],
  ])('of %s is not read as a tier', (_, text) => {
    expect(read(text)).toBeNull()
  })

  test('rounds as the same tier did before, or else as the shop’s rule does', () => {
    const rounding = (amount: number): PriceRule => ({
      kind: 'plus',
      pesewas: pesewas(100),
      roundPesewas: pesewas(amount),
    })
    const present = {
      rule: rounding(50),
      tiers: [{ network: 'MTN', fromMegabytes: null, rule: rounding(100) }],
    }
    expect(read('MTN +3', present)).toBe('MTN - +300/100')
    expect(read('Telecel +3', present)).toBe('Telecel - +300/50')
    expect(read('MTN from 1GB +3', present)).toBe('MTN 1000 +300/50')
  })

  test('never has a fractional size or one out of bounds, whatever the text', () => {
    const word = fc.constantFrom(
      'MTN',
      'from',
      '10',
      'GB',
      '0.0001MB',
      '99999.999GB',
      '+',
      '2',
      '%',
      '-1',
      ' ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(' ')),
        ),
        (text) => {
          const written = readTier(text, none)
          if (written?.kind !== 'tier' || written.scope.fromMegabytes === null) return
          expect(Number.isSafeInteger(written.scope.fromMegabytes)).toBe(true)
          expect(written.scope.fromMegabytes).toBeGreaterThan(0)
          expect(written.scope.fromMegabytes).toBeLessThanOrEqual(maxTierMegabytes)
        },
      ),
    )
  })
})
