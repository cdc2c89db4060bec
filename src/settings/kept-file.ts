import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bytesInChunks } from '../exports/chunks.ts'
import { withScratchFolder } from '../exports/scratch.ts'

/**
 * Writes a text into a file that only this user of the machine can read, passes its path to `use`, and removes the
 * file. Memory holds only the part of the text that is not on the disk yet.
 */
export const withFileOf = (
  parts: AsyncIterable<string>,
  use: (path: string) => Promise<void>,
): Promise<void> =>
  withScratchFolder(async (folder) => {
    const path = join(folder, 'data.json')
    const content = Readable.from(bytesInChunks(parts), { objectMode: false })
    await pipeline(content, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
    await use(path)
  })
