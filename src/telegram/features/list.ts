import type { Purchase } from '../../orders/order.ts'
import type { Person } from '../../orders/purchases.ts'
import type { BotContext } from '../context.ts'
import type { ListAct } from '../list-button.ts'
import { repeatCause } from '../list-card.ts'
import type { Services } from '../services.ts'
import * as texts from '../texts.ts'
import { showPreview } from './preview.ts'

/** What the buttons of a confirmed list do. */
export type ConfirmedAct = Extract<
  ListAct,
  { act: 'csv' | 'look' | 'go_on' | 'stop' | 'retry' | 'retry_one' | 'again' | 'repeat' }
>

/** A press on the card of a list that was confirmed, or on its closing message. */
export const pressConfirmed = async (
  ctx: BotContext,
  services: Services,
  { person, purchase, act }: { person: Person; purchase: Purchase; act: ConfirmedAct },
): Promise<void> => {
  const { lists } = services
  switch (act.act) {
    case 'csv':
      ctx.talk.toast(texts.outdatedButton)
      return
    case 'look':
      ctx.talk.toast(texts.refreshed)
      if (ctx.msgId !== undefined) await services.purchases.redraw(purchase.id, ctx.msgId)
      return
    case 'go_on':
      ctx.talk.toast((await lists.goOn(purchase.id, person)) ? texts.confirmedToast : texts.alreadyEnded)
      return
    case 'stop':
      ctx.talk.toast((await lists.stop(purchase.id, person)) ? texts.cancelledToast : texts.tooLateToast)
      return
    case 'retry': {
      const retry = await lists.retry(purchase.id, person, 'certain')
      if (retry) showPreview(ctx, services, retry)
      else ctx.talk.toast(texts.alreadyEnded)
      return
    }
    case 'retry_one':
    case 'again':
      ctx.talk.toast(texts.outdatedButton)
      return
    case 'repeat': {
      const repeated = await lists.repeat(purchase.id, person, `${repeatCause(purchase.id)}${act.nonce}`)
      if (repeated) showPreview(ctx, services, repeated)
      else ctx.talk.toast(texts.alreadyEnded)
    }
  }
}
