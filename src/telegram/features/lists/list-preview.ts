import type { Purchase } from '../../../domain/order/order.ts'
import { numberingOf } from '../../../lists/meaning/own-numbering.ts'
import { isToFix } from '../../../lists/meaning/to-fix.ts'
import { isWalletError } from '../../../wallets/wallets.ts'
import { actsOf } from '../../cards/lists/list-view.ts'
import { networkFileButtons } from '../../cards/lists/network-file.ts'
import * as listTexts from '../../cards/words/list.ts'
import type { Asker } from '../../chat/context.ts'
import { button } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import * as unreadableTexts from '../../words/unreadable.ts'

/** Reads prices and balance, and shows the preview of a list. If a read fails, the preview says so. */
export const showPreview = (ctx: Asker, { id }: Pick<Purchase, 'id'>): void =>
  ctx.talk.aside(async () => {
    try {
      await ctx.services.lists.look(id)
    } catch (error) {
      if (!isWalletError(error)) throw error
      ctx.services.onNotice()
      const again = button(labels.tryAgain, { do: 'list', purchaseId: id, act: { act: 'look' } })
      const why = listTexts.listUnreadable(
        unreadableTexts.cannotRead(unreadableTexts.readable.pricesAndBalance, error),
      )
      const preview = await ctx.services.lists.preview(id)
      const file = preview ? networkFileButtons(preview, actsOf({ id })) : []
      const cancel = button(labels.cancel, { do: 'cancel', purchaseId: id })
      ctx.talk.say({ text: why, rows: [[again, cancel], file] })
    }
  })

/** The number of the first line to fix, as the person counts the lines. A text uses it as an example. */
export const lineToFix = async ({ lists }: Services, purchaseId: string): Promise<number> => {
  const reading = (await lists.preview(purchaseId))?.reading
  const place = reading?.lines.find(isToFix)?.number ?? 1
  return reading ? numberingOf(reading).of(place) : place
}
