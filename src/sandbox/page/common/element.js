/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Creates an element. Text is added only as text nodes, so that nothing in a message or file can become markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} attributes functions under `on…` become listeners, `false` and null are left out
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag)
  if (tag === 'button') node.setAttribute('type', 'button')
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value)
  node.append(...children.filter(isShown))
  return node
}

/**
 * An element in the page's HTML file.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no element #${id}`)
  return found
}

/**
 * @param {HTMLElement} node
 * @param {string} name
 * @param {unknown} value
 */
function setAttribute(node, name, value) {
  if (value === false || value === null || value === undefined) return
  if (typeof value === 'function') {
    node.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
    return
  }
  node.setAttribute(name, value === true ? '' : String(value))
}

/**
 * @param {Child} child
 * @returns {child is Node | string}
 */
function isShown(child) {
  return child !== null && child !== undefined && child !== false
}
