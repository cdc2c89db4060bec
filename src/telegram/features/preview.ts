import { NoWallet } from '../../accounts/wallets.ts'
import type { Purchase } from '../../orders/order.ts'
import { ProviderError } from '../../provider/index.ts'
import type { BotContext } from '../context.ts'
import { listCard } from '../list-card.ts'
import * as listTexts from '../list-texts.ts'
import { key } from '../screen.ts'
import type { Services } from '../services.ts'
import * as texts from '../texts.ts'

/** Reads prices and balance, then shows the preview of a list. */
export const showPreview = (ctx: BotContext, services: Services, { id }: Pick<Purchase, 'id'>): void => {
  const { store, lists, onNotice } = services
  ctx.talk.aside(async () => {
    try {
      await lists.look(id)
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
      onNotice()
      const again = key(texts.labels.tryAgain, { do: 'list', purchaseId: id, act: { act: 'look' } })
      ctx.talk.say({
        text: listTexts.listUnreadable(texts.cannotRead('prices and balance', error)),
        rows: [[again]],
      })
      return
    }
    const words = async () => {
      const purchase = await store.purchases.byId(id)
      return purchase && listCard(store, lists, purchase)
    }
    ctx.talk.say(words, (messageId) => store.purchases.showOn(id, messageId))
  })
}
