import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PriceRule } from '../../src/domain/selling/price-rule.ts'
import { pesewas } from '../../src/provider/money.ts'
import { maxPesewas, readAmount } from '../../src/shop/written-amount.ts'
import { readRule } from '../../src/shop/written-rule.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'

/** `+200/1` and `10%/10`: what the rule adds, and what it rounds up to. */
const brief = (rule: PriceRule): string =>
  rule.kind === 'plus' ? `+${rule.pesewas}/${rule.roundPesewas}` : `${rule.tenths / 10}%/${rule.roundPesewas}`

const read = (text: string, present: PriceRule | null = null): string => {
  const written = readRule(text, present)
  return written.kind === 'rule' ? brief(written.rule) : written.fault
}

describe('a typed price rule', () => {
  test.each([
    ['+2', '+200/1'],
    ['2', '+200/1'],
    [' + 2.50 ', '+250/1'],
    ['GHS 2', '+200/1'],
    ['+2 cedis', '+200/1'],
    ['0', '+0/1'],
    ['.50', '+50/1'],
    ['10%', '10%/10'],
    ['+10 %', '10%/10'],
    ['7.5%', '7.5%/10'],
    ['10 percent', '10%/10'],
    ['+2 round 0.50', '+200/50'],
    ['+2, round 0.5', '+200/50'],
    ['10% rounded up to 1', '10%/100'],
    ['+2 ROUND GHS 1', '+200/100'],
  ])('of “%s” is understood', (text, rule) => {
    expect(read(text)).toBe(rule)
  })

  test.each([
    ['“-2”', '-2', 'negative'],
    ['“+-2”', '+-2', 'negative'],
    ['“−2”', '−2', 'negative'],
    ['“-10%”', '-10%', 'negative'],
    ['“2,50”', '2,50', 'comma'],
    ['“7,5%”', '7,5%', 'comma'],
    ['“2.555”', '2.555', 'fraction'],
    ['“1001”', '1001', 'huge'],
    ['“99999999999999999999”', '99999999999999999999', 'huge'],
    ['“1000%”', '1000%', 'huge'],
    ['an empty text', '', 'unreadable'],
    ['“%”', '%', 'unreadable'],
    ['“two”', 'two', 'unreadable'],
    ['“2 3”', '2 3', 'unreadable'],
    ['“1e3”', '1e3', 'unreadable'],
    ['“0x10”', '0x10', 'unreadable'],
    ['“٢”', '٢', 'unreadable'],
    ['“NaN”', 'NaN', 'unreadable'],
    ['“10.55%”', '10.55%', 'unreadable'],
    // So long that a careless pattern would take forever to match it.
    ['a sign, very many spaces and a letter', `+${' '.repeat(4_000)}x`, 'unreadable'],
    ['an amount with very many spaces', `+${' '.repeat(100)}2`, 'unreadable'],
    ['an amount, very many spaces and a letter', `5${' '.repeat(4_000)}x`, 'unreadable'],
    ['“+2 round”', '+2 round', 'rounding'],
    ['“+2 round 0”', '+2 round 0', 'rounding'],
    ['“+2 round -1”', '+2 round -1', 'rounding'],
    ['“+2 round 11”', '+2 round 11', 'rounding'],
    ['“+2 round 1 round 2”', '+2 round 1 round 2', 'rounding'],
  ])('of %s is refused', (_, text, fault) => {
    expect(read(text)).toBe(fault)
  })

  test('keeps the present rounding if it names no rounding', () => {
    const present: PriceRule = { kind: 'plus', pesewas: pesewas(100), roundPesewas: pesewas(50) }
    expect(read('10%', present)).toBe('10%/50')
    expect(read('+3', present)).toBe('+300/50')
    expect(read('+3 round 1', present)).toBe('+300/100')
  })

  test('is read as whole pesewas within bounds or refused, whatever the text', () => {
    const near = fc.stringMatching(/^[+-]?\d{0,12}[.,]?\d{0,4} ?(%|GHS|round)? ?\d{0,3}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), near), (text) => {
        const written = readRule(text, null)
        if (written.kind === 'refused') return
        const { rule } = written
        const value = rule.kind === 'plus' ? rule.pesewas : rule.tenths
        expect(Number.isSafeInteger(value) && value >= 0 && value <= 100_000).toBe(true)
        expect(rule.roundPesewas).toBeGreaterThan(0)
        expect(rule.roundPesewas).toBeLessThanOrEqual(1_000)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('is refused quickly if it is very long', () => {
    const long = ['+'.repeat(100_000), ' '.repeat(100_000), '1'.repeat(100_000), 'round '.repeat(50_000)]
    const began = performance.now()
    for (const text of long) expect(readRule(text, null).kind).toBe('refused')
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})

test('an amount of money typed in any usual way is read exactly to the pesewa', () => {
  fc.assert(
    fc.property(fc.nat(maxPesewas), (amount) => {
      const text = (amount / 100).toFixed(2)
      expect(readAmount(text)).toEqual({ kind: 'amount', pesewas: amount })
      expect(readAmount(`GHS ${text}`)).toEqual({ kind: 'amount', pesewas: amount })
    }),
  )
})
