/** @import { Child } from '../common/element.js' */
import { element } from '../common/element.js'

/** @typedef {{ label: string, icon?: Child, run: () => void }} MenuItem */

/**
 * Opens a menu next to a button. Arrows move through it. Esc, Tab or a press elsewhere closes it, and the button
 * gets the focus again.
 *
 * @param {HTMLElement} button
 * @param {MenuItem[]} items
 */
export function openMenu(button, items) {
  const menu = element('div', { class: 'menu', role: 'menu', popover: 'auto' }, ...items.map(itemOf))
  menu.addEventListener('keydown', onKey)
  menu.addEventListener('toggle', (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === 'closed') leave()
  })
  document.body.append(menu)
  menu.showPopover()
  placeBeside(menu, button)
  button.setAttribute('aria-expanded', 'true')
  entries()[0]?.focus()

  /** @param {MenuItem} item */
  function itemOf({ label, icon, run }) {
    return element('button', { role: 'menuitem', tabindex: '-1', onclick: pick }, icon, label)

    function pick() {
      menu.hidePopover()
      run()
    }
  }

  function entries() {
    return /** @type {HTMLElement[]} */ ([...menu.children])
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const at = entries().indexOf(/** @type {HTMLElement} */ (document.activeElement))
    if (event.key === 'Tab') menu.hidePopover()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    entries()
      .at((at + (event.key === 'ArrowDown' ? 1 : -1)) % entries().length)
      ?.focus()
  }

  function leave() {
    button.setAttribute('aria-expanded', 'false')
    if (menu.contains(document.activeElement) || document.activeElement === document.body) button.focus()
    setTimeout(() => menu.remove())
  }
}

/**
 * Places the menu below the button, or above it if there is no room below. It is never outside the window.
 *
 * @param {HTMLElement} menu
 * @param {HTMLElement} button
 */
function placeBeside(menu, button) {
  const around = button.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const fitsBelow = around.bottom + height + 8 < innerHeight
  const top = fitsBelow ? around.bottom + 4 : around.top - height - 4
  const left = Math.min(around.left, innerWidth - width - 8)
  menu.style.top = `${Math.max(8, top)}px`
  menu.style.left = `${Math.max(8, left)}px`
}
