import { hash } from 'node:crypto'

/** A checksum of a table's rows that does not depend on their order. */
export interface Sum {
  rows: number
  /** The sum of the SHA-256 hashes of all rows, as eight 32-bit numbers in hexadecimal. */
  checksum: string
}

export interface Adder {
  /** @param row the row as text; bytes are UTF-8 */
  add(row: string | Uint8Array): void
  sum(): Sum
}

/**
 * Adds up the hashes of rows, so that neither database has to sort millions of rows, and the two need not sort the
 * same way. Unlike XOR, a sum counts duplicate rows.
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
