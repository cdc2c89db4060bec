import type { PriceRule } from '../domain/selling/price-rule.ts'
import { pesewas } from '../provider/money.ts'

/**
 * Writes a rule in a few characters that fit in a button's data: `p200-50` adds GHS 2.00 and rounds up to GHS 0.50,
 * `t100-10` adds 10.0 % and rounds up to GHS 0.10, and `none` means that there is no rule.
 */
export const briefRule = (rule: PriceRule | null): string => {
  if (rule === null) return 'none'
  return `${rule.kind === 'plus' ? `p${rule.pesewas}` : `t${rule.tenths}`}-${rule.roundPesewas}`
}

export const isSameRule = (a: PriceRule | null, b: PriceRule | null): boolean => briefRule(a) === briefRule(b)

/** Reads a rule that `briefRule` wrote. Undefined for any other text, or if a value is higher than people may type. */
export const readBriefRule = (text: string): PriceRule | null | undefined => {
  if (text === 'none') return null
  const [, kind, value, round] = /^([pt])(\d{1,6})-(\d{1,4})$/.exec(text) ?? []
  if (kind === undefined) return undefined
  const [amount, roundPesewas] = [Number(value), pesewas(Number(round))]
  if (roundPesewas < 1 || roundPesewas > maxRoundPesewas) return undefined
  if (kind === 'p')
    return amount <= maxPlusPesewas ? { kind: 'plus', pesewas: pesewas(amount), roundPesewas } : undefined
  return amount <= maxTenths ? { kind: 'percent', tenths: amount, roundPesewas } : undefined
}

/** The most that a rule may add to a bundle's cost: GHS 1,000. More must be a typing error. */
export const maxPlusPesewas = 100_000
/**
 * The most that a rule may add, in tenths of a percent: 900 %, which makes ten times the cost of a bundle. More must be
 * a typing error.
 */
export const maxTenths = 9_000

/** The coarsest rounding of a selling price: up to a multiple of GHS 10. */
export const maxRoundPesewas = 1_000
