import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Buffer

/** Unpacks `deflate`. Some servers leave out zlib's two-byte header. */
const inflated: Unpack = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options)

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflated,
  br: brotliDecompressSync,
}

/**
 * We don't ask for compression, but a proxy or the server may compress the body anyway. A body that cannot be unpacked
 * is returned as it is, and then fails to parse as JSON.
 */
export const unpacked = (
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Buffer | 'too_large' => {
  let result = body
  for (const name of (encoding ?? '').toLowerCase().split(',').toReversed()) {
    const unpack = unpackers[name.trim()]
    if (!unpack) continue
    try {
      result = unpack(result, { maxOutputLength: maxBytes })
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
        ? 'too_large'
        : body
    }
  }
  return result
}
