/**
 * Makes a `role=tablist` work by keyboard: it is one tab stop, and arrows, Home and End move to a tab and choose it.
 *
 * @param {HTMLElement} list
 */
export function moveByArrows(list) {
  list.addEventListener('keydown', (event) => {
    const tabs = tabsOf(list)
    const at = tabs.indexOf(/** @type {HTMLElement} */ (document.activeElement))
    const to = at < 0 ? -1 : target(event.key, at, tabs.length)
    if (to < 0) return
    event.preventDefault()
    tabs[to]?.click()
    tabsOf(list)[to]?.focus()
  })
}

/**
 * Marks one tab as chosen and makes it the list's only tab stop.
 *
 * @param {HTMLElement} list
 * @param {(tab: HTMLElement) => boolean} isChosen
 */
export function chooseTab(list, isChosen) {
  for (const tab of tabsOf(list)) {
    tab.setAttribute('aria-selected', String(isChosen(tab)))
    tab.tabIndex = isChosen(tab) ? 0 : -1
  }
}

/**
 * @param {HTMLElement} list
 * @returns {HTMLElement[]}
 */
function tabsOf(list) {
  return /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role=tab]')])
}

/**
 * @param {string} key
 * @param {number} at
 * @param {number} count
 */
function target(key, at, count) {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (at + 1) % count
    case 'ArrowUp':
    case 'ArrowLeft':
      return (at - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return -1
  }
}
