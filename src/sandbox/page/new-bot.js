import { ask } from './dialog.js'
import { element } from './element.js'
import { field } from './field.js'

/**
 * Asks for the name and username of a bot, as Telegram does for a key that asks for one.
 *
 * @param {{ name: string, username: string }} offered
 * @returns {Promise<{ name: string, username: string } | null>}
 */
export async function askForBot(offered) {
  const name = field('Name', 'text', 'bot-name')
  const username = field('Username', 'text', 'bot-username')
  name.input.value = offered.name
  username.input.value = offered.username
  const isMeant = await ask({
    title: 'Create a bot',
    body: [element('p', {}, 'Bundlegram will manage it.'), name.label, username.label],
    choices: [{ label: 'Create', choice: true, main: true }],
  })
  const made = { name: name.input.value.trim(), username: username.input.value.trim() }
  return isMeant && made.name && made.username ? made : null
}
