import { floodLimits } from '../../messaging/admission.ts'
import { exampleOrder } from './hints.ts'
import { lengthIn } from './markup.ts'

/** Answers to messages and presses that the bot cannot use. */

export const needAccount =
  'That needs an account: /connect if you sell data. If somebody ordered for you, send the order’s reference.'

export const notYours = 'This isn’t yours, or no longer is. Nothing was changed.'

/** Said to a customer about an order that is no longer here. */
export const orderGone = 'This order isn’t here any more. Ask the shop about it.'

export const notUnderstood = (connected: boolean) =>
  connected
    ? `I don’t understand that. To order, send a number and a size: <code>${exampleOrder}</code>.`
    : 'I don’t understand that. To look up an order, send its reference: it begins with <code>BUD-</code>.'

/** The answer to a voice note. */
export const spoken = (connected: boolean) =>
  connected
    ? `I can’t listen to voice notes. Send the number and size as text: <code>${exampleOrder}</code>.`
    : 'I can’t listen to voice notes. To look up an order, send its reference as text: it begins with <code>BUD-</code>.'

export const thanked = 'You’re welcome.'

export const unknownCommand = 'I don’t know that command. To see what I can do: /help.'

export const outdatedButton = 'This button is out of date. Please send /start.'

export const cannotHandle =
  'Something went wrong. Please try again. Pressing Confirm again never orders twice: the card shows whether you’ve ordered.'

export const groupOnly =
  'In groups, I only respond to /status followed by a reference. For anything else, message me privately.'

/** Said once to a person who sends too much, and again only after a pause. */
export const flood = (who: 'member' | 'stranger') =>
  who === 'member'
    ? `${skipping}\n\nNothing is ordered until a card says so. Pressing Confirm again never orders twice.`
    : skipping

const skipping = `You’re sending faster than I can answer, so I’m skipping your messages for now. Pause for ${lengthIn('second', floodLimits.quietMs)}, then send them again.`

/** Said to a stranger whose message was skipped because many others write at once. */
export const crowd =
  'Too many people are writing to me right now, so I skipped your message. Send it again in a minute.'

export const pressLeftOut = `Too many presses at once: I skipped this one. Pause for ${lengthIn('second', floodLimits.quietMs)}, then press again. Confirm never orders twice.`
