import type { Queries } from '../../store/store.ts'
import { type Button, decodeButton } from '../buttons/button.ts'

/**
 * Whether a press that the bot could not complete has certainly ordered nothing. That covers this delivery of the
 * press, earlier deliveries, and earlier presses of the same button.
 */
export const hasOrderedNothing = async (
  { purchases }: Pick<Queries, 'purchases'>,
  data: string,
): Promise<boolean> => {
  const button = decodeButton(data)
  if (!button || !concernsOrder(button)) return true
  if (!('purchaseId' in button)) return false
  const purchase = await purchases.byId(button.purchaseId).catch(() => null)
  return purchase?.state === 'draft'
}

/** Whether a press would order, because nobody has confirmed its purchase so far. */
export const wouldOrder = async (
  { purchases }: Pick<Queries, 'purchases'>,
  data: string,
): Promise<boolean> => {
  const button = decodeButton(data)
  const confirms = button?.do === 'confirm' || (button?.do === 'list' && button.act.act === 'confirm')
  if (!confirms || !('purchaseId' in button)) return false
  return (await purchases.byId(button.purchaseId))?.state === 'draft'
}

/** Whether a press orders, or decides about an order that is on its way. */
const concernsOrder = (button: Button): boolean => {
  switch (button.do) {
    case 'confirm':
    case 'cancel':
    case 'again':
    case 'send_anyway':
    case 'judge':
      return true
    case 'list':
      return !['page', 'excel', 'csv', 'look', 'fix'].includes(button.act.act)
    default:
      return false
  }
}
