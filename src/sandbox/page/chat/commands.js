import { element } from '../common/element.js'

/** @typedef {{ command: string, description: string }} Command */

/**
 * The list of the bot's commands above the composer. A press on `/` shows all of them; while a person types a
 * command, those that begin as typed are shown. Arrows move through the list, Enter sends the marked command, and
 * Tab completes it.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} input keeps the focus
 * @param {{ commands: () => Command[], send: (text: string) => void }} chat
 */
export function commandList(input, { commands, send }) {
  const box = element('div', {
    class: 'commands',
    id: 'commands',
    role: 'listbox',
    'aria-label': 'Commands',
    hidden: true,
  })
  /** @type {Command[]} */
  let shown = []
  let marked = -1

  return { box, filter, showAll, close, onKey, isOpen: () => !box.hidden }

  function filter() {
    const typed = /^\/(\w*)$/.exec(input.value)?.[1]
    if (typed === undefined) return close()
    const starting = commands().filter(({ command }) => command.startsWith(typed.toLowerCase()))
    show(starting.filter(({ command }) => command !== typed || starting.length > 1))
  }

  function showAll() {
    show(commands())
    input.focus()
  }

  /** @param {Command[]} list */
  function show(list) {
    shown = list
    box.hidden = list.length === 0
    box.replaceChildren(...list.map(optionOf))
    box.scrollTop = 0
    mark(-1)
  }

  function close() {
    show([])
  }

  /**
   * @param {Command} command
   * @param {number} at
   */
  function optionOf({ command, description }, at) {
    const option = element(
      'div',
      { class: 'command', role: 'option', id: `command-${at}`, 'aria-selected': 'false' },
      element('strong', {}, `/${command}`),
      element('span', { class: 'muted' }, description),
    )
    option.addEventListener('pointerdown', (event) => event.preventDefault())
    option.addEventListener('click', () => pick(command))
    return option
  }

  /** @param {string} command */
  function pick(command) {
    close()
    send(`/${command}`)
  }

  /** @param {number} at */
  function mark(at) {
    marked = at
    const options = [...box.children]
    for (const [index, option] of options.entries())
      option.setAttribute('aria-selected', String(index === at))
    options[at]?.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', options[at]?.id ?? '')
    input.setAttribute('aria-expanded', String(!box.hidden))
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key was meant for the list
   */
  function onKey(event) {
    if (box.hidden) return false
    const command = shown[marked]
    if (event.key === 'ArrowDown') mark((marked + 1) % shown.length)
    else if (event.key === 'ArrowUp') mark((Math.max(marked, 0) - 1 + shown.length) % shown.length)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && command) pick(command.command)
    else if (event.key === 'Tab' && !event.shiftKey && input.value.startsWith('/'))
      complete(command ?? shown[0])
    else return false
    event.preventDefault()
    return true
  }

  /** @param {Command | undefined} command */
  function complete(command) {
    if (command) input.value = `/${command.command} `
    close()
  }
}
