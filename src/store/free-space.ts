import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * With less on the disk of the embedded database nothing new is taken in: what people have confirmed, and what the
 * provider reports about it, has the rest to itself. A day of 10,000 orders takes some 30 MB.
 */
export const floorBytes = 100_000_000

/** There is room again from this on, so that a disk at the floor does not change its mind with each write. */
const enoughBytes = 1.2 * floorBytes

/** Bytes that this user may still write; null where nobody here can know: a server has its own disk. */
export type ReadFreeBytes = () => Promise<number | null>

export const freeBytesOf =
  (databaseUrl: string): ReadFreeBytes =>
  async () => {
    const path = databaseUrl.slice('file:'.length)
    if (!databaseUrl.startsWith('file:') || path.startsWith(':')) return null
    const { bavail, bsize } = await statfs(dirname(path))
    return bavail * bsize
  }

/** How much room the disk has, as it was looked at last. */
export interface FreeSpace {
  /** Nothing new is to be taken in. */
  isShort(): boolean
  /** Null where it is not known. */
  bytes(): number | null
  /** Looks again. @returns whether it became short, or has room again, since the last time. */
  look(): Promise<boolean>
}

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
