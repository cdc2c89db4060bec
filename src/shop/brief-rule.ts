import type { PriceRule } from '../domain/selling.ts'
import { pesewas } from '../provider/money.ts'

/** A rule in a few characters that fit a button: `p200-50`, `t100-10`; `none` if there is no rule. */
export const briefRule = (rule: PriceRule | null): string => {
  if (rule === null) return 'none'
  return `${rule.kind === 'plus' ? `p${rule.pesewas}` : `t${rule.tenths}`}-${rule.roundPesewas}`
}

export const isSameRule = (a: PriceRule | null, b: PriceRule | null): boolean => briefRule(a) === briefRule(b)

/** Reads what `briefRule` writes, within the bounds of what people may type; undefined for anything else. */
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

/** GHS 1,000 on top of a bundle's cost: more is a slip of the finger. */
export const maxPlusPesewas = 100_000
/** Tenths of a percent: ten times the cost of a bundle. More is a slip of the finger. */
export const maxTenths = 9_000

/** Selling prices may be rounded up to a multiple of at most GHS 10. */
export const maxRoundPesewas = 1_000
