import { isUtf8 } from 'node:buffer'

/**
 * Decodes a text file: UTF-8 or UTF-16 in either byte order, with or without a byte order mark; any other bytes are
 * read as Windows-1252. Line ends become `\n`.
 * @returns null if the bytes are not text
 */
export const decodeText = (bytes: Uint8Array): string | null => {
  const text = new TextDecoder(utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes)
  return looksBinary(text) ? null : text.replace(/\r\n?/g, '\n')
}

/** Recognises UTF-16 by its byte order mark, or by the zeros in every second byte of Latin letters and digits. */
const utf16Of = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes.length < 2 || bytes.length % 2 !== 0) return null
  const start = bytes.subarray(0, 400)
  const zeros = [0, 0]
  start.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const most = start.length / 4
  if (odd > most && even === 0) return 'utf-16le'
  return even > most && odd === 0 ? 'utf-16be' : null
}

/** Whether the unit is a control character, except for tab, line and page breaks, and the end mark of old DOS files. */
const isControl = (unit: number): boolean =>
  (unit >= 0x01 && unit <= 0x08) || (unit >= 0x0e && unit <= 0x1f && unit !== 0x1a) || unit >= 0xfffe

const looksBinary = (text: string): boolean => {
  const start = text.slice(0, 65_536)
  let controls = 0
  for (let index = 0; index < start.length; index += 1) if (isControl(start.charCodeAt(index))) controls += 1
  return text.includes('\0') || controls > start.length / 100
}
