/** In ms. How long to wait before a stream that ended is opened again. The browser itself would wait longer. */
const reopenAfterMs = 1000

/**
 * Follows a stream of server-sent events as long as the page is open. After each (re)connection, `load` runs first
 * and events wait for it, so that nothing that happens between two connections is missed.
 *
 * @template Event
 * @param {object} stream
 * @param {string} stream.url
 * @param {string[]} stream.names of the events; events without a name are always applied
 * @param {() => Promise<void>} stream.load
 * @param {(event: Event) => void} stream.apply
 * @param {(connected: boolean) => void} stream.status
 */
export function follow({ url, names, load, apply, status }) {
  open()

  function open() {
    const source = new EventSource(url)
    /** Events that arrived before the state was loaded; null after that. @type {Event[] | null} */
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
