const chunkBytes = 64 * 1024

/**
 * Joins the small parts of a text into large chunks of bytes for a file. Each part is copied immediately: strings
 * that wait until a chunk is full would get into V8's old generation, and the heap would grow.
 */
export async function* bytesInChunks(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let filled = 0
  for await (const part of parts) {
    const bytes = Buffer.byteLength(part)
    if (filled + bytes > chunkBytes) {
      if (filled > 0) yield chunk.subarray(0, filled)
      chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytes))
      filled = 0
    }
    filled += chunk.write(part, filled)
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}
