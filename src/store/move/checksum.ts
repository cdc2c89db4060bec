import { hash } from 'node:crypto'

/** What a table's rows come to, in whatever order they are read. */
export interface Sum {
  rows: number
  /** The sum of the SHA-256 of every row's text, as eight numbers of 32 bits each. */
  checksum: string
}

export interface Adder {
  /** @param row its text, in UTF-8 where it is bytes. */
  add(row: string | Uint8Array): void
  sum(): Sum
}

/**
 * A sum, so that neither database has to sort millions of rows, and no order of theirs has to be the same. Unlike with
 * an exclusive or, a row that is there twice counts twice.
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
