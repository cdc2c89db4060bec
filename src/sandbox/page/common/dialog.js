import { element } from './element.js'

/**
 * Asks in a window over the page. Esc or a press outside closes it. All fields must be filled in before a choice.
 *
 * @template Choice
 * @param {object} question
 * @param {string} question.title
 * @param {(Node | string)[]} [question.body]
 * @param {{ label: string, choice: Choice, main?: boolean }[]} question.choices
 * @returns {Promise<Choice | null>} null when it was closed without a choice
 */
export function ask({ title, body = [], choices }) {
  const { promise, resolve } = Promise.withResolvers()
  /** @type {Choice | null} */
  let chosen = null
  const buttons = choices.map(({ label, choice, main }) =>
    element('button', { class: main ? 'button main' : 'button', onclick: () => close(choice) }, label),
  )
  const dialog = element(
    'dialog',
    { class: 'dialog', 'aria-label': title },
    element('h2', {}, title),
    element('div', { class: 'dialog-body' }, ...body),
    element('div', { class: 'dialog-choices row wrap' }, ...buttons),
  )
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => {
    dialog.remove()
    resolve(chosen)
  })
  document.body.append(dialog)
  dialog.showModal()
  return promise

  /** @param {Choice} choice */
  function close(choice) {
    const inputs = [...dialog.querySelectorAll('input')]
    if (!inputs.every((input) => input.reportValidity())) return
    chosen = choice
    dialog.close()
  }
}
