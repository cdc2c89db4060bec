/** The data from which each row was drawn, for detecting changes. @type {WeakMap<Element, string>} */
const drawnFrom = new WeakMap()

/**
 * Updates a list in the document. If the data of a row has not changed, its element stays, with its focus, selection
 * and scroll position. If a row is redrawn, the focus and half-typed values move to the new row's controls with the
 * same `data-control`.
 *
 * @template Item
 * @param {HTMLElement} parent
 * @param {Item[]} items
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => HTMLElement} draw
 */
export function syncRows(parent, items, keyOf, draw) {
  const before = new Map([...parent.children].map((row) => [row.getAttribute('data-key') ?? '', row]))
  const keys = new Set(items.map(keyOf))
  for (const [key, row] of before) if (!keys.has(key)) row.remove()
  let place = parent.firstElementChild
  for (const item of items) {
    const old = before.get(keyOf(item))
    const row = upToDate(old, item, keyOf(item), draw)
    if (old && row !== old) {
      if (place === old) place = row
      replaceRow(old, row)
    }
    if (row === place) place = row.nextElementSibling
    else parent.insertBefore(row, place)
  }
}

/**
 * @template Item
 * @param {Element | undefined} old
 * @param {Item} item
 * @param {string} key
 * @param {(item: Item) => HTMLElement} draw
 * @returns {Element}
 */
function upToDate(old, item, key, draw) {
  const signature = JSON.stringify(item)
  if (old && drawnFrom.get(old) === signature) return old
  const row = draw(item)
  row.setAttribute('data-key', key)
  drawnFrom.set(row, signature)
  return row
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function replaceRow(old, fresh) {
  const active = old.contains(document.activeElement) ? document.activeElement : null
  const values = [...old.querySelectorAll('input[data-control]')].map(typedInto)
  old.replaceWith(fresh)
  for (const { control, value, initial } of values) {
    const input = fresh.querySelector(`input[data-control="${control}"]`)
    if (input instanceof HTMLInputElement && value !== initial) input.value = value
  }
  const control = active?.getAttribute('data-control')
  const heir = control ? fresh.querySelector(`[data-control="${CSS.escape(control)}"]`) : null
  if (heir instanceof HTMLElement) heir.focus({ preventScroll: true })
}

/** @param {Element} input */
function typedInto(input) {
  const { value, defaultValue } = /** @type {HTMLInputElement} */ (input)
  return { control: CSS.escape(input.getAttribute('data-control') ?? ''), value, initial: defaultValue }
}
