import { b } from '../../words/markup.ts'

/** Texts that ask for an account's key and secret. */

export const copyKey = 'Copy the API key'

/** @param botName the bot's username, by which people can tell it from a fake bot. */
export const askKey = (again: boolean, botName: string) =>
  [
    again ? b('Change your key and secret') : b('Connect your account'),
    `${copyKey} from the provider’s dashboard (developer API section) and send it here. The secret comes next.`,
    `🔒 I’ll delete both messages. Check that you’re writing to @${botName}: a fake bot can’t have that name.`,
  ].join('\n')

export const sendSecret = 'Now send the API secret'

export const askSecret = (removed: boolean) =>
  `Got the API key${removed ? ' and deleted your message' : ''}. ${sendSecret}.`

export const askKeyAgain = 'That took too long. Send the API key again, then the secret.'

export const notACredential = (asked: 'key' | 'secret') =>
  `That doesn’t look like an API ${asked}. Nothing was stored.\nCopy it from the dashboard and send it alone, without spaces, or /cancel.`

export const credentialsAsText = (removed: boolean) =>
  `I can’t read a key or secret from pictures or files.${removed ? ' I deleted your message to be safe.' : ''} Nothing was stored. Send it as text, or /cancel.`

export const forwardedSecret = (removed: boolean) =>
  `I can’t accept a forwarded key or secret.${removed ? ' I deleted the message to be safe.' : ''} Copy the text and send it yourself.`

export const switching = 'Switching…'

export const replacing = 'Changing the key…'

export const switchTooLate = 'Too late, or already answered. Nothing was changed. To switch, /connect again.'
