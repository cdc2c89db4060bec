import type { Party } from '../../../accounts/agency.ts'
import { shopSeenBy } from '../../../domain/selling/agent-prices.ts'
import type { PriceRule } from '../../../domain/selling/price-rule.ts'
import { readRule, ruleAdding } from '../../../shop/written-rule.ts'
import type { Member } from '../../../store/accounts/accounts.ts'
import { agentLabels } from '../../cards/words/team.ts'
import { askNext, type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { type Button, inRows } from '../../chat/screen.ts'
import type { Answer } from '../feature.ts'
import { exampleOf, readableBundles } from '../selling/shop.ts'
import { addLabel, notARule } from '../selling/words.ts'
import { agentButton, cancelButton } from './agent-screens.ts'
import { agentOf, changeAgent, gone } from './one-agent.ts'
import * as words from './words.ts'

/** What an agent pays above the cost, as buttons offer it: pesewas, or tenths of a percent. */
const additions: readonly [PriceRule['kind'], number][] = [
  ['plus', 50],
  ['plus', 100],
  ['percent', 50],
  ['percent', 100],
]

/** Asks for the rule that makes this agent's prices. */
export const askPrice = async (ctx: BotContext, agent: Member): Promise<void> => {
  await askNext(ctx, { what: 'agent_price', agentId: agent.userId })
  const { accountId, userId: id, priceRule } = agent
  const shop = await ctx.services.store.shops.of(accountId)
  const priceButton = (label: string, rule: PriceRule | null): Button =>
    agentButton(label, { act: 'set_price', id, rule })
  const adding = additions.map(([kind, value]) =>
    priceButton(addLabel({ kind, value }), ruleAdding(kind, value, priceRule)),
  )
  const rows = [
    ...inRows(adding, 2),
    priceRule ? [priceButton(agentLabels.samePrice, null)] : [],
    [cancelButton(agent)],
  ]
  ctx.talk.aside(async () => {
    const bundles = (await readableBundles(ctx.services, accountId)) ?? []
    const example = priceRule && exampleOf(shopSeenBy(shop, priceRule), bundles)
    ctx.talk.show({ text: words.askPrice(agent.name, priceRule, shop.agentPrices, example), rows })
  })
}

/** Takes the typed rule that makes an agent's prices. */
export const takePrice = async (
  ctx: BotContext,
  owner: Party,
  { question, text }: Answer<Extract<Question, { what: 'agent_price' }>>,
): Promise<void> => {
  const agent = await agentOf(ctx.services, owner, question.agentId)
  if (!agent) {
    await forgetQuestion(ctx)
    return gone(ctx, owner)
  }
  const written = readRule(text, agent.priceRule)
  if (written.kind === 'refused')
    return ctx.talk.say({ text: notARule(written.fault), rows: [[cancelButton(agent)]] })
  await forgetQuestion(ctx)
  return changeAgent(ctx, owner, agent, { priceRule: written.rule })
}
