import { isRemoved } from '../../domain/removed-phone.ts'
import { exampleOrder } from './home.ts'

/** The words for old orders, which keep only what accounting needs. */

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
