/** Ordering for the person's own number, which their app can share. */

export const ownNumberLabels = {
  ask: '📱 My own number',
  /** The label of a button that replaces the person's keyboard. */
  share: '📱 Share my number',
} as const

export const askOwnNumber = `Press “${ownNumberLabels.share}” below, or type the number.`

export const notOwnNumber = `That contact is somebody else’s. Press “${ownNumberLabels.share}” below, or type the number.`
