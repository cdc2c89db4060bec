/** @import { ChatEvent } from '../../telegram/control/control.ts' */

/** In ms. If there is no answer for this long, a button stops waiting, as in Telegram's apps. */
const givesUpAfterMs = 15_000

/** The pressed buttons whose callback query the bot has not answered yet. */
export function pendingPresses() {
  /** @type {Map<string, HTMLElement>} */
  const waiting = new Map()
  /** The ids of queries that were answered before the page knew their id. @type {Set<string>} */
  const early = new Set()
  return { start, end }

  /**
   * @param {HTMLElement} button
   * @param {() => Promise<{ id: string }>} press
   */
  async function start(button, press) {
    button.classList.add('busy')
    try {
      const { id } = await press()
      if (early.delete(id)) return calm(button)
      waiting.set(id, button)
      setTimeout(() => finish(id), givesUpAfterMs)
    } catch (error) {
      calm(button)
      throw error
    }
  }

  /** @param {Extract<ChatEvent, { type: 'answer' }>} answer */
  function end({ queryId }) {
    if (waiting.has(queryId)) finish(queryId)
    else early.add(queryId)
  }

  /** @param {string} id */
  function finish(id) {
    const button = waiting.get(id)
    if (button) calm(button)
    waiting.delete(id)
  }
}

/** @param {HTMLElement} button */
function calm(button) {
  button.classList.remove('busy')
}
