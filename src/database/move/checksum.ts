import { hash } from 'node:crypto'

/** A checksum of a table's rows that does not depend on their order. */
export interface Sum {
  rows: number
  /** The sum of the SHA-256 of every row's text, as eight numbers of 32 bits each. */
  checksum: string
}

/** Adds up the rows of one table. */
export interface Adder {
  /** Adds one row. @param row its text, in UTF-8 if it is bytes. */
  add(row: string | Uint8Array): void
  sum(): Sum
}

/**
 * Adds row hashes, so that neither database has to sort millions of rows or agree on an order. Unlike an exclusive or,
 * a sum counts a row twice if it is there twice.
 */
export const createAdder = (): Adder => {
  const words = new Uint32Array(8)
  let rows = 0
  return {
    add: (row) => {
      const digest = hash('sha256', row, 'buffer')
      for (let word = 0; word < 8; word += 1) {
        words[word] = (words[word] ?? 0) + digest.readUInt32BE(word * 4)
      }
      rows += 1
    },
    sum: () => ({ rows, checksum: [...words].map((word) => word.toString(16).padStart(8, '0')).join('') }),
  }
}
