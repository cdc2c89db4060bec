import { escapeHtml } from '../screen.ts'
import { b, code } from './markup.ts'

/** To operators, where somebody else seems to use the bot's token. */

const newToken =
  'If that wasn’t you, the token is known to somebody: make a new one with @BotFather (/revoke) and start me with it.'

/**
 * @param place the host that updates were sent to; null where nothing was set any more.
 * @param isBack they come here again.
 */
export const updatesTaken = (place: string | null, isBack: boolean): string =>
  [
    place === null
      ? `🚨 ${b('Somebody has switched off how this bot gets its updates.')} ${isBack ? 'I’ve switched it on again.' : 'I can’t switch it on again yet and try each minute. Nobody is answered until then.'}`
      : `🚨 ${b('Somebody has sent this bot’s updates to another address')}: ${code(place)}. ${isBack ? 'I’ve taken them back.' : 'I can’t take them back yet and try each minute. Nobody is answered until then.'}`,
    'What people wrote meanwhile may have been read there, API keys too.',
    newToken,
  ].join('\n')

export const updatesBack = '✅ This bot’s updates come to me again.'

export const rivalReads = [
  `🚨 ${b('Another program reads this bot’s updates with its token.')} What people write may go there.`,
  'I stop in half a minute if it goes on.',
  newToken,
].join('\n')

export const renamed = (before: string, after: string): string =>
  `⚠️ This bot is called @${escapeHtml(after)} now; it was @${escapeHtml(before)}. ${newToken}`

export const unreadableAddress = 'an address that cannot be read'

/** For the log. */
export const logged =
  'TELEGRAM_BOT_TOKEN: somebody else has changed where this bot’s updates are sent. Make a new token with @BotFather (/revoke)'
