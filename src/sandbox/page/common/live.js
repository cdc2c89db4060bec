/** How long to wait before a stream that ended is opened again, in ms. A browser would wait longer. */
const reopenAfterMs = 1000

/**
 * Follows a stream of server-sent events for as long as the page lives. After each (re)connection `load` is
 * run first and events wait for it, so that nothing between two connections is missed.
 *
 * @template Event
 * @param {object} stream
 * @param {string} stream.url
 * @param {string[]} stream.names of the events; unnamed ones are always taken
 * @param {() => Promise<void>} stream.load
 * @param {(event: Event) => void} stream.apply
 * @param {(connected: boolean) => void} stream.status
 */
export function follow({ url, names, load, apply, status }) {
  open()

  function open() {
    const source = new EventSource(url)
    /** Events that arrived before the state; null once it is there. @type {Event[] | null} */
    let waiting = []
    let isOver = false
    for (const name of new Set(['message', ...names])) source.addEventListener(name, take)
    source.addEventListener('open', catchUp)
    source.addEventListener('error', restart)

    /** @param {globalThis.Event} event */
    function take(event) {
      const data = JSON.parse(/** @type {MessageEvent} */ (event).data)
      if (waiting) waiting.push(data)
      else apply(data)
    }

    async function catchUp() {
      try {
        await load()
      } catch {
        restart()
        return
      }
      if (isOver) return
      const missed = waiting ?? []
      waiting = null
      for (const event of missed) apply(event)
      status(true)
    }

    function restart() {
      if (isOver) return
      isOver = true
      source.close()
      status(false)
      setTimeout(open, reopenAfterMs)
    }
  }
}
