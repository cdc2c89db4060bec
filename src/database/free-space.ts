import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Below this much free disk of the embedded database, the bot takes in nothing new: the rest is for confirmed orders
 * and the provider's reports about them. A day of 10,000 orders takes some 30 MB.
 */
export const floorBytes = 100_000_000

/** Above this there is room again, so that a disk at the floor does not change its state with each write. */
const enoughBytes = 1.2 * floorBytes

/** Bytes that this user may still write; null if that is unknown here: a server has its own disk. */
export type ReadFreeBytes = () => Promise<number | null>

/** Reads the free bytes of an embedded database's disk. */
export const freeBytesOf =
  (databaseUrl: string): ReadFreeBytes =>
  async () => {
    const path = databaseUrl.slice('file:'.length)
    if (!databaseUrl.startsWith('file:') || path.startsWith(':')) return null
    const { bavail, bsize } = await statfs(dirname(path))
    return bavail * bsize
  }

/** The disk's free space at the last look. */
export interface FreeSpace {
  /** Whether too little is free to take in anything new. */
  isShort(): boolean
  /** The free bytes; null if unknown. */
  bytes(): number | null
  /** Looks again. @returns whether the state changed between short and enough. */
  look(): Promise<boolean>
}

/** Starts as unknown until the first look. A failed read counts as unknown. */
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
