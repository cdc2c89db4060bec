import type { Socket } from 'node:net'
import type { HandOn } from '../network/gateway.ts'

/** What the network loses, without either side noticing and without closing a connection. */
export type Swallowed = 'query' | 'answer'

/**
 * Passes everything on until the first query that contains the word. From then on it drops all queries, or all answers,
 * on that query's connection.
 */
export const swallowing = (word: string, what: Swallowed): HandOn => {
  let isBegun = false
  /** Connections that receive nothing any more. */
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
