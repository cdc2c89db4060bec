/** @import { Person } from '../../telegram/control/control.ts' */
/** @import { Note } from './conversations.js' */
import { ask } from '../common/dialog.js'
import { element } from '../common/element.js'

const storedAs = 'notes'

/**
 * Asks to whom to send a text, as Telegram does for a share link.
 *
 * @param {string} text
 * @param {Person[]} others
 * @returns {Promise<Person | null>}
 */
export function askRecipient(text, others) {
  return ask({
    title: 'Forward this message',
    body: [element('div', { class: 'share-text', 'data-testid': 'share-text' }, text)],
    choices: others.map((person) => ({ label: `Send to ${person.first_name}`, choice: person })),
  })
}

/**
 * Asks whether the bot may have the person's own number.
 *
 * @param {Person} person
 */
export function askToShareNumber({ phoneNumber }) {
  return ask({
    title: 'Share your phone number?',
    body: [element('p', {}, `The bot will know your number: ${phoneNumber}.`)],
    choices: [{ label: 'Share', choice: true, main: true }],
  })
}

/**
 * The notes are kept when the page is reloaded, until its tab is closed.
 *
 * @returns {Note[]}
 */
export function storedNotes() {
  return JSON.parse(sessionStorage.getItem(storedAs) ?? '[]')
}

/** @param {Note[]} notes */
export function storeNotes(notes) {
  sessionStorage.setItem(storedAs, JSON.stringify(notes))
}
