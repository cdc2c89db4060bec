/** @import { ProviderState } from '../../provider/control.ts' */
/** @import { Child } from './element.js' */
import { element } from './element.js'

/**
 * A button on the provider's side of the page.
 *
 * @param {string} label
 * @param {() => unknown} onclick
 * @param {Record<string, unknown>} [attributes]
 * @param {Child} [icon] before the label
 */
export function smallButton(label, onclick, attributes = {}, icon = null) {
  return element('button', { class: 'small-button', onclick, ...attributes }, icon, label)
}

/**
 * A choice between texts. Its value is the index of the chosen text, or the value that was given with it.
 *
 * @param {Record<string, unknown>} attributes
 * @param {(string | { value: string, words: string })[]} choices
 */
export function choice(attributes, choices) {
  const node = element('select', attributes)
  offer(node, choices)
  return node
}

/**
 * @param {HTMLSelectElement} node
 * @param {(string | { value: string, words: string })[]} choices
 */
export function offer(node, choices) {
  const options = choices.map((one, at) =>
    typeof one === 'string' ? { value: String(at), words: one } : one,
  )
  node.replaceChildren(...options.map(({ value, words }) => element('option', { value }, words)))
}

/**
 * Offers the accounts, if they have changed.
 *
 * @param {HTMLSelectElement} node
 * @param {ProviderState['accounts']} accounts
 * @param {string | undefined} first the account that is chosen at first
 */
export function offerAccounts(node, accounts, first) {
  if (node.options.length === accounts.length) return
  const choices = accounts.map(({ id, name }) => ({ value: id, words: name }))
  offer(node, choices)
  node.value = first ?? choices[0]?.value ?? ''
}
