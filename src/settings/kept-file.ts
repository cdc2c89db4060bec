import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const chunkBytes = 64 * 1024

/**
 * Writes parts of a text into a file that only this user of the machine can read, lets `use` have it, and removes it.
 * No more of it is held than is on its way to the disk.
 */
export const withFileOf = async (
  parts: AsyncIterable<string>,
  use: (path: string) => Promise<void>,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-'))
  try {
    const path = join(folder, 'data.json')
    const content = Readable.from(inChunks(parts), { objectMode: false, highWaterMark: chunkBytes })
    await pipeline(content, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
    await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* inChunks(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const part of parts) {
    chunk += part
    if (chunk.length < chunkBytes) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
