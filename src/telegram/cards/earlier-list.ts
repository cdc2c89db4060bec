import type { Purchase } from '../../domain/order/order.ts'
import type { Lists } from '../../orders/listing/list-orders.ts'
import type { Queries } from '../../store/store.ts'
import { type Button, button } from '../chat/screen.ts'
import { labels } from './words/preview.ts'

/** An older list that can still be confirmed, and how many of its numbers that would order. */
export interface EarlierList {
  purchaseId: string
  numbers: number
}

/** The newest list of that person from before this one with numbers that are ready. Others are not told of it. */
export const earlierList = async (
  queries: Pick<Queries, 'purchases'>,
  lists: Pick<Lists, 'preview'>,
  purchase: Purchase,
  now: Date,
  viewerId: number,
): Promise<EarlierList | null> => {
  if (viewerId !== purchase.chatId) return null
  for (const { id, createdAt, retryOfId } of await queries.purchases.openLists(purchase, now)) {
    // What is left of this very list has a line of its own.
    if (id === purchase.id || createdAt > purchase.createdAt || retryOfId === purchase.id) continue
    const numbers = (await lists.preview(id))?.selection.send.length ?? 0
    if (numbers > 0) return { purchaseId: id, numbers }
  }
  return null
}

/** Shows that list in a message of its own. */
export const earlierButtons = (earlier: EarlierList | null): Button[] =>
  earlier
    ? [
        button(labels.earlier(earlier.numbers), {
          do: 'list',
          purchaseId: earlier.purchaseId,
          act: { act: 'open' },
        }),
      ]
    : []
