import { isRedacted, type Order } from '../../domain/order/order.ts'
import { isRemoved } from '../../domain/order/removed-phone.ts'
import { maskPhone } from '../../provider/phone.ts'
import { escapeHtml, foreignWord, oneLine } from '../chat/screen.ts'
import { exampleOrder } from './hints.ts'
import { counted } from './markup.ts'

/** The words for the numbers of an order. The numbers of old orders were erased, and the texts say so. */

const removedNumber = 'a removed number'

/**
 * A number in groups, as people check it: `024 123 4567`. Its spaces are no-break spaces, so it stays on one line. Any
 * other text stays as it is.
 */
export const spaced = (phone: string): string =>
  phone.replace(/^(0\d{2})(\d{3})(\d{4})$/, '$1\u00a0$2\u00a0$3')

/** The number as a text shows it, or words that say that it was removed. */
export const numberOr = (phone: string): string => (isRemoved(phone) ? removedNumber : spaced(phone))

/** Like `numberOr`, in the form that the provider's support searches for. */
export const ungroupedOr = (phone: string): string => (isRemoved(phone) ? removedNumber : phone)

/** The number as a cell of a file shows it, or `removed`. */
export const numberCell = (phone: string): string => (isRemoved(phone) ? 'removed' : phone)

export const removedNote = (count: number): string =>
  count === 1
    ? 'This order is old, so its number was removed.'
    : 'This order is old, so its numbers were removed.'

/** Answers a press that needs the number of an old order. It is plain text of at most 200 characters. */
export const needsNumber = `This order is old, so its number was removed. To order again, send a number and a size: ${exampleOrder}.`

export const tooOldToFollow = 'This order finished long ago, so there’s nothing to follow.'

/** Whom an order is for: its number with the saved name, or how many numbers. */
export const forWhom = ({ recipients }: Pick<Order, 'recipients'>, name: string | null = null): string =>
  recipients.length === 1 ? phoneText(recipients[0]?.phone ?? '', name) : howMany(recipients.length)

export const howMany = (recipients: number): string => counted(recipients, 'number', 'numbers')

/** A number that a tap copies, after the name that it is saved under. */
export const phoneText = (phone: string, name?: string | null): string => {
  if (isRemoved(phone)) return numberOr(phone)
  const number = `<code>${escapeHtml(spaced(oneLine(phone, 80)))}</code>`
  return name ? `<b>${foreignWord(name)}</b> (${number})` : number
}

/** How a number that may be mistyped differs from the number it looks like. */
export const slipWords = (slip: 'digit' | 'swap'): string =>
  slip === 'digit' ? 'one digit wrong' : 'two digits swapped'

/** The recipients of an order as a stranger may see them: one masked number, or how many numbers. */
export const maskedWhom = (order: Order): string => {
  const [first] = order.recipients
  if (!first || order.recipients.length > 1) return howMany(order.recipients.length)
  return isRedacted(order) ? numberOr(first.phone) : maskPhone(first.phone)
}
