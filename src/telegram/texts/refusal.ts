/** What is said to a message or a press that nothing can be done with, whatever it was meant for. */

export const needAccount =
  'For that you need an account: /connect attaches yours at the provider in a minute. To order on somebody else’s wallet, open the invitation link that they send you. To look up an order, just send its reference.'

export const notYours = 'That is not yours, or not any more. Nothing was changed.'

export const notUnderstood = (connected: boolean) =>
  connected
    ? 'I did not understand that. Nothing was ordered.\n\nTo order send a number and a size, for example <code>0241234567 5GB</code>; to look up an order send its reference.'
    : 'I did not understand that. To look up an order send its reference, for example <code>BUD-API-AB12CD-123456</code>. To ask the shop about it, open it and press Ask the shop. To order yourself, /connect first.'

export const unknownCommand = 'I do not know that command. /help says what I can do.'

export const outdatedButton = 'This button is out of date. Please start again with /start.'

export const cannotHandle =
  'Something went wrong on our side and I could not handle that. Please try again. If it was Confirm: pressing it again never orders twice, and its card shows whether the order was taken.'

export const groupOnly =
  'In groups I only answer /status with a reference. For everything else write to me in private.'

/** To who sends more than is answered; it is said once, until they pause. */
export const flood = (who: 'member' | 'stranger') =>
  who === 'member'
    ? `${skipping}\n\nAn order counts once its card says so. Pressing Confirm again never orders twice.`
    : skipping

const skipping =
  'You are sending faster than I can answer, so I skip what you send from here on. Pause for 10 seconds, then send it again.'

/** To a stranger who is left out because of others. */
export const crowd =
  'Very many people are writing to me right now, so I skipped your message. Please send it again in a minute.'

export const pressLeftOut =
  'Too many at once: I skipped this press. Pause for 10 seconds, then press again. Confirm never orders twice.'
