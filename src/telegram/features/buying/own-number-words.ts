/** Texts for ordering for the person's own number, which their Telegram app can share. */

export const ownNumberLabels = {
  ask: '📱 My own number',
  /** The label of the button that shares the number. Telegram shows it in place of the keyboard. */
  share: '📱 Share my number',
} as const

export const askOwnNumber = `Press “${ownNumberLabels.share}” below, or type the number.`

export const notOwnNumber = `That’s somebody else’s number. Press “${ownNumberLabels.share}” below, or type the number.`
