import type { Party } from '../../../accounts/agency.ts'
import { neededFor } from '../../../domain/may-order.ts'
import type { Purchase } from '../../../domain/order/order.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { isTheirs } from '../../../orders/buying/purchases.ts'
import { wantedOf } from '../../../orders/listing/list-confirmation.ts'
import type { ActOf } from '../../buttons/table.ts'
import * as permissionWords from '../../cards/words/agent-permissions.ts'
import type { BotContext } from '../../chat/context.ts'
import type { Services } from '../../chat/services.ts'
import { agentScreen } from './agent-screens.ts'
import * as words from './words.ts'

/** `Ask the owner`: asks for a limit that is high enough for the agent's draft. */
export const askOwner = async (ctx: BotContext, person: Person, purchaseId: string): Promise<void> => {
  const { services } = ctx
  const purchase = await services.store.purchases.byId(purchaseId)
  if (!purchase || !isTheirs(purchase, person)) return ctx.talk.toast(words.nothingToAsk, true)
  const ask = { purchaseId, neededPesewas: await neededBy(services, purchase) }
  switch (await services.agency.askForMore(person, ask)) {
    case 'sent':
      return ctx.talk.toast(permissionWords.asked, true)
    case 'asked':
      return ctx.talk.toast(permissionWords.askedBefore, true)
    case 'fits':
      return ctx.talk.toast(words.nothingToAsk, true)
  }
}

/** What a draft counts towards the limit of the agent who made it. */
const neededBy = async ({ store, lists }: Services, purchase: Purchase) => {
  const { agentPrices } = await store.shops.asSeenBy(purchase)
  const preview = purchase.kind === 'list' ? await lists.preview(purchase.id) : null
  return neededFor(preview ? wantedOf(preview) : purchase.lines, agentPrices)
}

/** The owner's answer: raises the agent's limit for today, or keeps it. */
export const answerAsk = async (
  ctx: BotContext,
  owner: Party,
  { id, pesewas: raisedPesewas, purchaseId }: Extract<ActOf<'agents'>, { act: 'raise' }>,
): Promise<void> => {
  const settled = await ctx.services.agency.answerAsk(owner, id, { raisedPesewas, purchaseId })
  if (!settled) return ctx.talk.toast(words.askIsOver, true)
  ctx.talk.toast(raisedPesewas === null ? words.keptLimit : words.raisedLimit(raisedPesewas))
  ctx.talk.show(await agentScreen(ctx.services, settled))
}
