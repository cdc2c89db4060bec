import type { PriceRule, PriceTier, TierScope } from '../../../domain/selling/price-rule.ts'
import { writtenSize } from '../../../lists/size.ts'
import type { RuleFault } from '../../../shop/written-rule.ts'
import { maxTiers } from '../../../shop/written-tier.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { b, joined, lines } from '../../words/markup.ts'
import { example, type PricedBundle, plainRule, ruleFault, ruleWords, savedForNew } from './words.ts'

/** Texts about price rules by network or size. */

export const tierLabels = { remove: '🗑 Remove this rule' } as const

const fromSize = (megabytes: number): string =>
  `from ${writtenSize(megabytes < 1000 ? { amount: megabytes, unit: 'MB' } : { amount: megabytes / 1000, unit: 'GB' })}`

/** `MTN from 10GB`, `All from 10GB` */
const scopeWords = ({ network, fromMegabytes }: TierScope): string =>
  joined(' ', network ?? 'All', fromMegabytes === null ? null : fromSize(fromMegabytes))

/** `MTN from 10GB · +2.00` */
export const tierLabel = ({ rule, ...scope }: PriceTier) =>
  oneLine(`${scopeWords(scope)} · ${plainRule(rule)}`, 48)

/** The label of the button that makes a rule for a network without one. */
export const newTierLabel = (network: string) => `＋ ${oneLine(network)}`

const howToType =
  'Send a rule, like <code>MTN +1</code>, <code>from 10GB +2</code> or <code>MTN from 10GB 5%</code>.'

/** A rule, and the price that it gives to one bundle. */
export interface TierExample {
  tier: PriceTier
  example: PricedBundle | null
}

const tierLine = ({ tier, example: bundle }: TierExample): string =>
  lines(
    `• ${b(foreignWord(scopeWords(tier)))}: ${ruleWords(tier.rule)}`,
    example(bundle) ?? 'No bundle uses this rule at the moment.',
  )

/** @param rest the rule for all bundles without a rule of their own. */
export const tiersScreen = (tiers: readonly TierExample[], rest: PriceRule | null) =>
  lines(
    b('Prices by network or size'),
    ...tiers.map(tierLine),
    `${tiers.length === 0 ? 'Rule for all' : 'Rule for the rest'}: ${ruleWords(rest)}`,
    '',
    tiers.length < 2
      ? null
      : 'If several rules fit, the most specific wins: network and size, then network, then size.',
    howToType,
  )

/** @param rule null: these bundles have no rule of their own yet. */
export const tierScreen = (scope: TierScope, rule: PriceRule | null, bundle: PricedBundle | null) =>
  lines(
    b(foreignWord(scopeWords(scope))),
    `Rule: ${rule === null ? 'none of its own' : b(ruleWords(rule))}`,
    rule === null ? null : (example(bundle) ?? 'No bundle uses this rule at the moment.'),
    '',
    'How much do you want to add to the cost? Press a button, or send <code>+2</code>, <code>10%</code> or <code>+2 round 0.50</code>.',
  )

/** @param fault `scope`: the text names neither a network nor a size. */
export const notATier = (fault: RuleFault | 'scope') =>
  `${fault === 'scope' ? 'I don’t see a network or a size in that' : ruleFault(fault)}. Nothing was changed. ${howToType}`

export const tierSaved = (rule: PriceRule | null) => (rule === null ? '✅ Rule removed.' : savedForNew)

export const tooManyTiers = `You can have at most ${maxTiers} rules by network or size. Remove one first.`
