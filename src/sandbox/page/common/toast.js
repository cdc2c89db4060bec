import { byId, element } from './element.js'

/** How long a toast stays, in ms. A toast that offers an action stays twice as long. */
const staysMs = 4000

/**
 * Shows a short text at the top of the page, in place of the one before.
 *
 * @param {string} text
 * @param {{ label: string, run: () => void }} [action]
 */
export function toast(text, action) {
  const button = action && element('button', { onclick: act }, action.label)
  const box = element('div', { class: 'toast row' }, element('span', {}, text), button)
  byId('toasts').replaceChildren(box)
  setTimeout(() => box.remove(), action ? 2 * staysMs : staysMs)

  function act() {
    box.remove()
    action?.run()
  }
}

/**
 * Runs the work, and shows a toast if it fails.
 *
 * @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function attempt(work) {
  try {
    await work()
    return true
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error))
    return false
  }
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    toast('Copied')
  } catch {
    toast('Your browser won’t let this page copy. Select the text and copy it yourself.')
  }
}
