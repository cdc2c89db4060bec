import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * With less free disk space than this for the embedded database, the bot accepts nothing new. The rest is kept for
 * confirmed orders and the provider's reports about them. A day with 10,000 orders takes about 30 MB.
 */
export const floorBytes = 100_000_000

/**
 * Once space is short, it counts as enough again only when this much is free. The margin keeps the state from
 * changing with each write near the limit.
 */
const enoughBytes = 1.2 * floorBytes

/** How many bytes this user can still write; null if unknown, as for PostgreSQL, which has its own disk. */
export type ReadFreeBytes = () => Promise<number | null>

export const freeBytesOf =
  (databaseUrl: string): ReadFreeBytes =>
  async () => {
    const path = databaseUrl.slice('file:'.length)
    if (!databaseUrl.startsWith('file:') || path.startsWith(':')) return null
    const { bavail, bsize } = await statfs(dirname(path))
    return bavail * bsize
  }

/** The disk's free space when it was last checked. */
export interface FreeSpace {
  isShort(): boolean
  /** The free bytes; null if unknown. */
  bytes(): number | null
  /** Measures the free space. @returns whether the state changed between short and enough */
  look(): Promise<boolean>
}

/** The space is unknown until the first check, and after a check that failed. */
export const createFreeSpace = (read: ReadFreeBytes): FreeSpace => {
  let bytes: number | null = null
  let short = false
  return {
    isShort: () => short,
    bytes: () => bytes,
    look: async () => {
      bytes = await read().catch(() => null)
      const wasShort = short
      short = bytes !== null && bytes < (short ? enoughBytes : floorBytes)
      return short !== wasShort
    },
  }
}
