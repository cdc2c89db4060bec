import { ask } from '../common/dialog.js'
import { field } from '../common/field.js'

/** @typedef {{ firstName: string, phoneNumber: string, userId?: number }} Contact */

/**
 * Asks for a contact as a phone book would have it.
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
