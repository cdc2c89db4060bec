import { reasonIn } from '../../../domain/order/reason.ts'
import { bundleOf } from '../../words/bundle.ts'
import { chargedOnce, fittingCharge, whoSaid } from '../../words/charge.ts'
import { code, joined } from '../../words/markup.ts'
import { forWhom } from '../../words/numbers.ts'
import type { SeenOrder } from '../viewer.ts'

/** The texts of warnings, and what they say when the warning is over. */

/** Tells operators that the provider's answer to an order names another number than the one ordered. */
export const otherPhone = (reference: string): string =>
  `⚠️ The provider’s answer to order ${code(reference)} names a different number from the one ordered. It was charged, and I can’t tell who got the bundle. Ask the provider’s support team. If it happens again, I’ll tell you at most once an hour; the log has each order.`

export const warningOver = (order: SeenOrder): string => {
  const what = `${bundleOf(order)} for ${forWhom(order)}`
  switch (order.placement) {
    case 'placed':
      return order.inferred
        ? `✅ ${what}: ${order.reason === 'likely' ? 'most likely placed, as ' : ''}${fittingCharge(order)}.`
        : `✅ ${what}: ${joined(', ', 'placed', chargedOnce(order))}.`
    case 'not_placed':
      return reasonIn('not_placed', order.reason) === 'by_person'
        ? `✅ ${what}: answered. ${whoSaid(order.viewer)} nothing was charged.`
        : `✅ Settled: ${what} wasn’t placed. Nothing was charged.`
    case 'review':
      return `✅ ${what}: answered. ${whoSaid(order.viewer)} it was charged.`
    default:
      return `✅ Over: the rest of the list is no longer waiting for ${what}.`
  }
}

/** Replaces the warning if the account was removed before it was known whether the order was charged. */
export const warningDropped = (order: SeenOrder): string =>
  `❓ ${bundleOf(order)} for ${forWhom(order)}: I’m no longer checking this, because the account was removed from this bot. Check the provider’s dashboard before you order again.`

/** Replaces the warning for people who may no longer see the order. */
export const warningOverForOthers = '✅ This warning is over.'

export const youAreBlocked =
  '🚫 The operator of this bot has blocked this chat, so I don’t read what you write here.\n\nOrders you’ve already confirmed still go out. I’ll tell you here what happens to them.'
