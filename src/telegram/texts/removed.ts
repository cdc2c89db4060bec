import { isRemoved } from '../../orders/removed-phone.ts'

/** What is said of orders that are reduced to what accounting needs. */

const removedNumber = 'a removed number'

/** A number as it is shown; of a reduced order, that it is not there any more. */
export const numberOr = (phone: string): string => (isRemoved(phone) ? removedNumber : phone)

/** The same in a cell of a file, whose column says what it is. */
export const numberCell = (phone: string): string => (isRemoved(phone) ? 'removed' : phone)

export const removedNote = (count: number): string =>
  count === 1
    ? 'Its number was removed because the order is old. What accounting needs is kept.'
    : 'Its numbers were removed because the order is old. What accounting needs is kept.'

/** Answers a press that needs the number; at most 200 characters. */
export const needsNumber =
  'The number was removed because this order is old. To order again, send the number with the size, for example 0241234567 5GB.'

export const tooOldToFollow =
  'This order is finished and old: nothing more becomes of it, so there is nothing to follow.'
