import type { PricelessOrder } from '../../orders/order.ts'
import { escapeHtml, oneLine } from '../screen.ts'
import { bundleOf } from './bundle.ts'
import { b } from './markup.ts'

/** The words of sharing an order with its customer. */

export const shareText = (url: string, order: PricelessOrder) =>
  [
    `${b('For the customer')}: whoever opens this link sees the order without its price, is told how it ends, and can ask you about it.`,
    '',
    `${bundleOf(order)}: ${escapeHtml(url)}`,
  ].join('\n')

export const forwardText = (order: PricelessOrder) =>
  `Your ${oneLine(order.network)} ${oneLine(order.volume)} bundle is on its way. Follow it here:`

export const notSharedYet = 'This order has no reference yet; share it once it is placed.'
