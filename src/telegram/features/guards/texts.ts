import { isList, standsForItself } from '../../../lists/recognition.ts'
import { readReference } from '../../chat/reference.ts'

/**
 * Texts that mean something by themselves, whatever the bot has asked. A question's `staysFor` and `endsFor` name those
 * that do not count as its answer.
 */

/** The reference of an order, or a list of orders. */
export const isReferenceOrList = (text: string): boolean => readReference(text) !== null || isList(text)

/** The reference of an order, or an order: a number with a size, or a list of them. */
export const isReferenceOrOrder = (text: string): boolean =>
  readReference(text) !== null || standsForItself(text)
