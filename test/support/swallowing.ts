import type { Socket } from 'node:net'
import type { HandOn } from './gateway.ts'

/** What a network loses: no side hears that it did, and no connection ends by it. */
export type Swallowed = 'query' | 'answer'

/**
 * Hands on everything until the first query with that word. From then on nothing that its connection is asked, or
 * nothing that it is answered.
 */
export const swallowing = (word: string, what: Swallowed): HandOn => {
  let isBegun = false
  /** To whom nothing is handed on any more. */
  const deaf = new WeakSet<Socket>()
  return (from, to) => {
    const unlessSwallowed = (act: () => void): void => {
      if (!deaf.has(to)) act()
    }
    from.on('data', (chunk: Buffer) => {
      if (!isBegun && chunk.includes(word)) {
        isBegun = true
        deaf.add(what === 'query' ? to : from)
      }
      unlessSwallowed(() => to.write(chunk))
    })
    from.once('end', () => unlessSwallowed(() => to.end()))
    from.once('close', () => unlessSwallowed(() => to.destroy()))
  }
}
