import { exampleOrder } from '../../words/hints.ts'
import { lines } from '../../words/markup.ts'

/** Answers to an edited message. `what` names the purchase that the message had made, such as `This list`. */

/** Said before the new card, question or list that replaces the old card. */
export const reread = (what: string) =>
  `✏️ You edited your message, so I closed its card (${what}). Nothing was ordered with that card.`

export const noOrderNow = (what: string) =>
  `✏️ Your edited message isn’t an order, so I closed its card (${what}). Nothing was ordered or charged.`

/** Replaces a question that was asked about the message before the edit. */
export const askedAnew = '✏️ You edited your message, so this question is closed. My new answer is below.'
export const askedNoMore =
  '✏️ Your edited message isn’t an order, so this question is closed. Nothing was ordered or charged.'

/** @param isOrdered whether the provider has the order. If not, it is being sent, or its outcome is unknown. */
export const tooLate = (what: string, isOrdered: boolean, isLeft = false) =>
  lines(
    `${what} is already ${isOrdered ? 'ordered' : 'confirmed'}, so your edit changes nothing.`,
    isLeft
      ? 'To change the remaining lines, send them again with your corrections.'
      : 'To order something else, send a new message.',
  )

/** Said if the list came from several messages, so that it is unclear which lines the edit changes. */
export const unclear = `I can’t tell which lines of the list your edit changes, so nothing has changed. Send the corrected line with its line number: <code>2. ${exampleOrder}</code>.`

/** Said if the caption of a file was edited. */
export const captionReread = '✏️ I’ve read your file again with the new caption. See its card.'

/** The value of `what` for a list. */
export const thisList = 'This list'

export const editedReminder =
  'A reminder can’t be edited. Send the new one as a new message, and delete the old one: ☰ More → 🔔 Reminders.'
