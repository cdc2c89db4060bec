/** Timers that do not keep the process alive and can be stopped together. */
export class Timers {
  readonly #handles = new Set<NodeJS.Timeout>()
  #closed = false

  after(ms: number, run: () => void): void {
    if (this.#closed) return
    const handle = setTimeout(() => {
      this.#handles.delete(handle)
      run()
    }, ms)
    handle.unref()
    this.#handles.add(handle)
  }

  /** Stops all timers. After that, no more can be started. */
  close(): void {
    this.#closed = true
    for (const handle of this.#handles) clearTimeout(handle)
    this.#handles.clear()
  }
}
