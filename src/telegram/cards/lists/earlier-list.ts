import type { Purchase } from '../../../domain/order/order.ts'
import type { Lists } from '../../../orders/listing/list-orders.ts'
import type { Queries } from '../../../store/store.ts'
import { type Button, button } from '../../chat/screen.ts'
import { labels } from '../words/list-preview.ts'

/** An older list that can still be confirmed, and how many numbers a press on Confirm would order. */
export interface EarlierList {
  purchaseId: string
  numbers: number
}

/**
 * The person's newest list from before this one that still has numbers to order. Null if the chat is not the person's
 * own.
 */
export const earlierList = async (
  queries: Pick<Queries, 'purchases'>,
  lists: Pick<Lists, 'preview'>,
  purchase: Purchase,
  now: Date,
  viewerId: number,
): Promise<EarlierList | null> => {
  if (viewerId !== purchase.chatId) return null
  for (const { id, createdAt, retryOfId } of await queries.purchases.openLists(purchase, now)) {
    // Skips this list, newer lists, and the rest of this list, which has a line of its own on the card.
    if (id === purchase.id || createdAt > purchase.createdAt || retryOfId === purchase.id) continue
    const numbers = (await lists.preview(id))?.selection.send.length ?? 0
    if (numbers > 0) return { purchaseId: id, numbers }
  }
  return null
}

/** A button that shows the earlier list in a new message. */
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
