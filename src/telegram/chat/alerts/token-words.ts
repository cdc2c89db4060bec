import { b, code, lengthIn } from '../../words/markup.ts'
import { escapeHtml } from '../screen.ts'

/** Messages to operators: somebody else seems to use the bot's token. */

const newToken =
  'If that wasn’t you, somebody else knows the token. Make a new one with @BotFather (/revoke) and start me with it.'

const tryAgain = 'I’ll keep trying every minute. Nobody gets an answer until that works.'

/**
 * @param place the host that updates were sent to; null if the address had been removed.
 * @param isBack whether updates arrive here again.
 */
export const updatesTaken = (place: string | null, isBack: boolean): string =>
  [
    place === null
      ? `🚨 ${b('Somebody has cut off this bot’s updates.')} ${isBack ? 'I’ve switched them on again.' : `I can’t switch them on again yet. ${tryAgain}`}`
      : `🚨 ${b('Somebody has sent this bot’s updates to another address')}: ${code(place)}. ${isBack ? 'I’ve taken them back.' : `I can’t take them back yet. ${tryAgain}`}`,
    'Messages sent in the meantime, including API keys, may have been read by somebody else.',
    newToken,
  ].join('\n')

export const updatesBack = `✅ I’m getting this bot’s updates again.\n${newToken}`

/** @param bearableMs how long the other program is tolerated before the bot stops. */
export const rivalReads = (bearableMs: number): string =>
  [
    `🚨 ${b('Another program is reading this bot’s updates with the same token.')} What people write may end up there.`,
    `If this continues, I’ll stop in ${lengthIn('second', bearableMs)}.`,
    newToken,
  ].join('\n')

export const renamed = (before: string, after: string): string =>
  `⚠️ This bot is now called @${escapeHtml(after)}, not @${escapeHtml(before)}. ${newToken}`

export const unreadableAddress = 'an address that can’t be read'

/** What the log says if somebody has changed where updates go. */
export const logged =
  'TELEGRAM_BOT_TOKEN: somebody else has changed where this bot’s updates go. Make a new token with @BotFather (/revoke)'
