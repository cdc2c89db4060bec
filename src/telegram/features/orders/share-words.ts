import type { PricelessOrder } from '../../../domain/order/order.ts'
import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { bundleOf } from '../../words/bundle.ts'
import { b } from '../../words/markup.ts'

export const shareText = (url: string, order: PricelessOrder) =>
  [
    b('For the customer'),
    'Anyone who opens this link sees the order without its price, is told when it arrives, and can ask you about it.',
    '',
    `${bundleOf(order)}: ${escapeHtml(url)}`,
  ].join('\n')

/** The text to forward, which Telegram shows below the link. It stays true whatever happens to the order. */
export const forwardText = (order: PricelessOrder, shop: string | null) =>
  `Your ${oneLine(order.network)} ${oneLine(order.volume)} bundle${shop === null ? '' : ` from ${oneLine(shop)}`}. Open the link to see if it has arrived.`

export const notSharedYet = 'This order has no reference yet. You can share it once it’s placed.'
