import type { PricelessOrder } from '../../../domain/order/order.ts'
import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { bundleOf } from '../../words/bundle.ts'
import { b } from '../../words/markup.ts'

/** The words of sharing an order with its customer. */

export const shareText = (url: string, order: PricelessOrder) =>
  [
    b('For the customer'),
    'Anyone with this link sees the order without its price, hears how it ends and can ask you about it.',
    '',
    `${bundleOf(order)}: ${escapeHtml(url)}`,
  ].join('\n')

/** Telegram writes the link above these words. They hold whatever became of the order meanwhile. */
export const forwardText = (order: PricelessOrder) =>
  `Your ${oneLine(order.network)} ${oneLine(order.volume)} bundle. Open the link to see where it is.`

export const notSharedYet = 'This order has no reference yet. Share it once it is placed.'
