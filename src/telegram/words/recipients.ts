import { isRedacted, type Order } from '../../domain/order.ts'
import { isRemoved } from '../../domain/removed-phone.ts'
import { maskPhone } from '../../provider/phone.ts'
import { escapeHtml, foreignWord, oneLine } from '../chat/screen.ts'
import { exampleOrder } from './hints.ts'
import { counted } from './markup.ts'

/** Whom an order is for: its numbers, also when they were removed because the order is old. */

const removedNumber = 'a removed number'

/** The number as it is shown, or that it was removed. */
export const numberOr = (phone: string): string => (isRemoved(phone) ? removedNumber : phone)

/** The same for a cell of a file. */
export const numberCell = (phone: string): string => (isRemoved(phone) ? 'removed' : phone)

export const removedNote = (count: number): string =>
  count === 1
    ? 'This order is old, so its number was removed.'
    : 'This order is old, so its numbers were removed.'

/** Answers a press that needs the number; at most 200 characters. */
export const needsNumber = `This order is old, so its number was removed. To order again, send number and size: ${exampleOrder}.`

export const tooOldToFollow = 'This order is finished and old, so there is nothing to follow.'

/** Whom it is for: one number, or how many. */
export const forWhom = ({ recipients }: Pick<Order, 'recipients'>, name: string | null = null): string =>
  recipients.length === 1 ? phoneText(recipients[0]?.phone ?? '', name) : howMany(recipients.length)

export const howMany = (recipients: number): string => counted(recipients, 'number', 'numbers')

/** A number as a card or a line shows it, to be copied, behind the name that it is saved with. */
export const phoneText = (phone: string, name?: string | null): string => {
  if (isRemoved(phone)) return numberOr(phone)
  const number = `<code>${escapeHtml(oneLine(phone, 80))}</code>`
  return name ? `<b>${foreignWord(name)}</b> (${number})` : number
}

/** The recipients of an order as a stranger may know them: a masked number, or how many there are. */
export const maskedWhom = (order: Order): string => {
  const [first] = order.recipients
  if (!first || order.recipients.length > 1) return howMany(order.recipients.length)
  return isRedacted(order) ? numberOr(first.phone) : maskPhone(first.phone)
}
