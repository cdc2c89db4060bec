import type { Pesewas } from '../provider/money.ts'
import type { PriceRule } from './selling.ts'

/** A rule in a few characters that fit a button: `p200-50`, `t100-10`; `none` where there is none. */
export const briefRule = (rule: PriceRule | null): string => {
  if (rule === null) return 'none'
  return `${rule.kind === 'plus' ? `p${rule.pesewas}` : `t${rule.tenths}`}-${rule.roundPesewas}`
}

/** Reads what `briefRule` writes, within the bounds of what people may type; undefined for anything else. */
export const readBriefRule = (text: string): PriceRule | null | undefined => {
  if (text === 'none') return null
  const [, kind, value, round] = /^([pt])(\d{1,6})-(\d{1,4})$/.exec(text) ?? []
  const [amount, roundPesewas] = [Number(value), Number(round) as Pesewas]
  if (kind === undefined || roundPesewas < 1 || roundPesewas > mostRoundPesewas) return undefined
  if (kind === 'p')
    return amount <= mostPlusPesewas ? { kind: 'plus', pesewas: amount as Pesewas, roundPesewas } : undefined
  return amount <= mostTenths ? { kind: 'percent', tenths: amount, roundPesewas } : undefined
}

/** GHS 1,000 on top of a bundle, or ten times its cost: more is a slip of the finger. */
export const mostPlusPesewas = 100_000
export const mostTenths = 9_000

/** Selling prices may be rounded up to a multiple of at most GHS 10. */
export const mostRoundPesewas = 1_000
