import type { Shop } from '../database/row-types.ts'
import type { PriceRule } from '../domain/selling/price-rule.ts'
import { pesewas } from '../provider/money.ts'

type RuleColumns = Pick<Shop, 'ruleKind' | 'ruleValue' | 'roundPesewas'>

/** The price rule in a row; null if it has none. */
export const ruleOf = ({ ruleKind, ruleValue, roundPesewas }: RuleColumns): PriceRule | null => {
  const round = pesewas(roundPesewas)
  if (ruleKind === 'plus') return { kind: 'plus', pesewas: pesewas(ruleValue), roundPesewas: round }
  return ruleKind === 'percent' ? { kind: 'percent', tenths: ruleValue, roundPesewas: round } : null
}

/** The columns that store a price rule. */
export const ruleColumns = (rule: PriceRule | null) => {
  if (rule === null) return { ruleKind: null, ruleValue: 0, roundPesewas: 1 }
  const ruleValue = rule.kind === 'plus' ? rule.pesewas : rule.tenths
  return { ruleKind: rule.kind, ruleValue, roundPesewas: rule.roundPesewas }
}
