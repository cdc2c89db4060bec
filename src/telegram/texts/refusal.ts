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
