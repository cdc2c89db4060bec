import type { PriceRule } from '../domain/selling/price-rule.ts'
import { type Pesewas, pesewas } from '../provider/money.ts'
import { maxPlusPesewas, maxRoundPesewas, maxTenths } from './brief-rule.ts'
import { type AmountFault, maxWrittenLength, readAmount } from './written-amount.ts'

export type RuleFault = AmountFault | 'rounding'

type WrittenRule = { kind: 'rule'; rule: PriceRule } | { kind: 'refused'; fault: RuleFault }

/** The default rounding of a rule in percent: up to GHS 0.10, the smallest coin. */
const smallestCoin = pesewas(10)
const exact = pesewas(1)

const roundWord = /\bround(?:ed|ing)?(?:\s+up)?(?:\s+to)?\b/i

/**
 * Reads a price rule as people type it: `+2`, `2`, `10%`, `7.5 %`, `+2 round 0.50`.
 * @param present the current rule. Its rounding is kept if the text does not give one.
 */
export const readRule = (text: string, present: PriceRule | null): WrittenRule => {
  if (text.trim().length > maxWrittenLength) return refused('unreadable')
  const [asked = '', rounding = null, ...more] = text.split(roundWord)
  const round = rounding === null ? null : readRounding(rounding)
  if (round === 'refused' || more.length > 0) return refused('rounding')
  const plain = asked.trim().replace(/[,;]$/, '').trim()
  const percent = /^\+?\s*(.*?)\s*(?:%|per\s?cent)$/is.exec(plain)
  return percent ? percentRule(percent[1] ?? '', round, present) : plusRule(plain, round, present)
}

const percentRule = (text: string, round: Pesewas | null, present: PriceRule | null): WrittenRule => {
  const [, sign, digits] = /^([-−–]?)\s*(\d{1,6}(?:\.\d)?)$/.exec(text) ?? []
  if (digits === undefined) return refused(/^\d+,\d+$/.test(text) ? 'comma' : 'unreadable')
  if (sign) return refused('negative')
  const tenths = Math.round(Number(digits) * 10)
  return tenths > maxTenths ? refused('huge') : written(ruleAdding('percent', tenths, present), round)
}

const plusRule = (text: string, round: Pesewas | null, present: PriceRule | null): WrittenRule => {
  const amount = readAmount(text.replace(/^\+\s*/, ''))
  if (amount.kind === 'refused') return amount
  if (amount.pesewas > maxPlusPesewas) return refused('huge')
  return written(ruleAdding('plus', amount.pesewas, present), round)
}

const written = (rule: PriceRule, round: Pesewas | null): WrittenRule => ({
  kind: 'rule',
  rule: round === null ? rule : { ...rule, roundPesewas: round },
})

/**
 * The rule that adds this amount.
 * @param value pesewas, or tenths of a percent.
 * @param present the current rule, whose rounding is kept. A rule in percent rounds up to the smallest coin, unless the
 * current rule rounds or is in percent too.
 */
export const ruleAdding = (kind: PriceRule['kind'], value: number, present: PriceRule | null): PriceRule => {
  const roundPesewas = present?.roundPesewas ?? exact
  if (kind === 'plus') return { kind, pesewas: pesewas(value), roundPesewas }
  const isSettled = present?.kind === 'percent' || roundPesewas > exact
  return { kind, tenths: value, roundPesewas: isSettled ? roundPesewas : smallestCoin }
}

const readRounding = (text: string): Pesewas | 'refused' => {
  const amount = readAmount(text)
  const isGood = amount.kind === 'amount' && amount.pesewas > 0 && amount.pesewas <= maxRoundPesewas
  return isGood ? amount.pesewas : 'refused'
}

const refused = (fault: RuleFault): WrittenRule => ({ kind: 'refused', fault })
