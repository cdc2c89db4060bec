import { NoWallet } from '../../accounts/wallets.ts'
import type { Purchase } from '../../orders/order.ts'
import { ProviderError } from '../../provider/index.ts'
import type { BotContext } from '../context.ts'
import { key } from '../screen.ts'
import type { Services } from '../services.ts'
import { labels } from '../texts/labels.ts'
import * as listTexts from '../texts/list.ts'
import * as unreadableTexts from '../texts/unreadable.ts'

/** Reads prices and balance, and shows the preview of a list; what cannot be read is said. */
export const showPreview = (ctx: BotContext, services: Services, { id }: Pick<Purchase, 'id'>): void =>
  ctx.talk.aside(async () => {
    try {
      await services.lists.look(id)
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
      services.onNotice()
      const again = key(labels.tryAgain, { do: 'list', purchaseId: id, act: { act: 'look' } })
      const why = listTexts.listUnreadable(
        unreadableTexts.cannotRead(unreadableTexts.readable.pricesAndBalance, error),
      )
      ctx.talk.say({ text: why, rows: [[again, key(labels.cancel, { do: 'cancel', purchaseId: id })]] })
    }
  })
