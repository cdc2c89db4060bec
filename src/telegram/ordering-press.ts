import type { Queries } from '../store/store.ts'
import { type Button, decodeButton } from './buttons/button.ts'

/**
 * Whether a press, of which the bot could not do all, has certainly ordered nothing: neither now nor when it was delivered
 * before, nor has an earlier press of the same button.
 */
export const hasOrderedNothing = async (
  { purchases }: Pick<Queries, 'purchases'>,
  data: string,
): Promise<boolean> => {
  const button = decodeButton(data)
  if (!button || !mayOrder(button)) return true
  if (!('purchaseId' in button)) return false
  const purchase = await purchases.byId(button.purchaseId).catch(() => null)
  return purchase?.state === 'draft'
}

/** Whether a press would order, by a purchase that nobody has confirmed so far. */
export const wouldOrder = async (
  { purchases }: Pick<Queries, 'purchases'>,
  data: string,
): Promise<boolean> => {
  const button = decodeButton(data)
  const confirms = button?.do === 'confirm' || (button?.do === 'list' && button.act.act === 'confirm')
  if (!confirms || !('purchaseId' in button)) return false
  return (await purchases.byId(button.purchaseId))?.state === 'draft'
}

/** It may order, or speak of an order that is on its way. */
const mayOrder = (button: Button): boolean => {
  switch (button.do) {
    case 'confirm':
    case 'cancel':
    case 'again':
    case 'send_anyway':
    case 'judge':
      return true
    case 'list':
      return !['page', 'csv', 'look', 'fix'].includes(button.act.act)
    default:
      return false
  }
}
