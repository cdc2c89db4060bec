import { exampleOrder } from '../../words/hints.ts'
import { lines } from '../../words/markup.ts'

/** Answers to an edited message. What it was is named by `what`, in words. */

/** Above the card, the question or the list that takes the place of the old card. */
export const reread = (what: string) =>
  `✏️ You edited your message, so I closed its card (${what}). Nothing was ordered by that card.`

export const noOrderNow = (what: string) =>
  `✏️ Your edited message is no order, so I closed its card (${what}). Nothing was ordered or charged.`

/** In place of a question about the message as it was. */
export const askedAnew = '✏️ You edited your message, so this question is closed. See below.'
export const askedNoMore =
  '✏️ Your edited message is no order, so this question is closed. Nothing was ordered or charged.'

/** @param isOrdered the provider has it; else it is on its way there, or nobody knows. */
export const tooLate = (what: string, isOrdered: boolean, isLeft = false) =>
  lines(
    `${what} is already ${isOrdered ? 'ordered' : 'confirmed'}, so your edit changes nothing.`,
    isLeft
      ? 'For the lines that are left, send the corrected lines.'
      : 'To order something else, send a new message.',
  )

/** The edited message is only a part of what the list was made of. */
export const unclear = `I can’t tell which lines of the list your edit changes, so nothing has changed. Send the corrected line with its number: <code>2. ${exampleOrder}</code>.`

/** The caption of a file was edited. */
export const captionReread = '✏️ I read your file again with the new caption. See its card.'

/** A list, as `what`. */
export const thisList = 'This list'
