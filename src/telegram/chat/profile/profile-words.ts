import { networks } from '../../../provider/network.ts'

/** What Telegram shows about the bot outside its chats. Plain text. */

/** Shown in an empty chat, above the Start button: at most 512 characters. */
export const description = [
  `Mobile data bundles for ${networks.join(', ')}.`,
  '',
  'Do you sell data? Connect your provider account once. Then send a number and a size, see the price and press Confirm.',
  '',
  'Did somebody order for you? Send the order’s reference to see if it has arrived.',
].join('\n')

/** Shown on the bot's profile and with its link: at most 120 characters. */
export const shortDescription =
  'Order mobile data bundles for any number, and follow each one until it arrives.'
