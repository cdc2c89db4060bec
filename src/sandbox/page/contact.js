import { ask } from './dialog.js'
import { element } from './element.js'

/** @typedef {{ firstName: string, phoneNumber: string, userId?: number }} Contact */

/**
 * Asks for a contact, which an address book would have.
 *
 * @returns {Promise<Contact | null>}
 */
export async function askContact() {
  const name = field('Name', 'text', 'contact-name')
  const number = field('Number', 'tel', 'contact-number')
  const isMeant = await ask({
    title: 'Send a contact',
    body: [name.label, number.label],
    choices: [{ label: 'Send', choice: true, main: true }],
  })
  const contact = { firstName: name.input.value.trim(), phoneNumber: number.input.value.trim() }
  return isMeant && contact.firstName && contact.phoneNumber ? contact : null
}

/**
 * @param {string} title
 * @param {'text' | 'tel'} type
 * @param {string} testId
 */
function field(title, type, testId) {
  const input = element('input', { type, class: 'field-input', 'data-testid': testId, autocomplete: 'off' })
  return { input, label: element('label', { class: 'field' }, element('span', {}, title), input) }
}
