/** @import { InlineKeyboardButton } from 'grammy/types' */
import { element } from '../common/element.js'
import { icon } from '../common/icons.js'

/**
 * The buttons below a message.
 *
 * @param {InlineKeyboardButton[][]} rows
 * @param {(button: InlineKeyboardButton, node: HTMLButtonElement) => void} press
 * @returns {HTMLElement}
 */
export function keyboard(rows, press) {
  return element(
    'div',
    { class: 'keyboard column', role: 'group', 'aria-label': 'Buttons' },
    ...rows.map(rowOf),
  )

  /** @param {InlineKeyboardButton[]} row */
  function rowOf(row) {
    return element('div', { class: 'keyboard-row' }, ...row.map(buttonOf))
  }

  /** @param {InlineKeyboardButton} button */
  function buttonOf(button) {
    const leavesChat = 'url' in button
    const control = 'callback_data' in button ? `press:${button.callback_data}` : `press:${button.text}`
    const node = element(
      'button',
      { class: styleOf(button), 'data-control': control },
      element('span', {}, button.text),
      leavesChat && icon('link'),
    )
    node.addEventListener('click', () => press(button, node))
    return node
  }
}

/** @param {InlineKeyboardButton} button */
function styleOf(button) {
  const style = 'style' in button ? button.style : undefined
  return `key key-${style ?? 'plain'}`
}
