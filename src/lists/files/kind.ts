import type { ForeignKind } from './file-refusal.ts'

type FileKind =
  /** A zip file, which may be a workbook. */
  | { kind: 'zip' }
  | { kind: 'csv' }
  | { kind: 'text' }
  | { kind: 'protected' }
  | { kind: 'foreign'; found: ForeignKind }

/** The first bytes of files, in Latin-1. */
const signatures: readonly (readonly [string, FileKind])[] = [
  ['PK\x03\x04', { kind: 'zip' }],
  ['PK\x05\x06', { kind: 'zip' }],
  ['%PDF', { kind: 'foreign', found: 'pdf' }],
  ['\x89PNG', { kind: 'foreign', found: 'picture' }],
  ['\xff\xd8\xff', { kind: 'foreign', found: 'picture' }],
  ['GIF8', { kind: 'foreign', found: 'picture' }],
  ['{\\rtf', { kind: 'foreign', found: 'word' }],
  ['\x1f\x8b', { kind: 'foreign', found: 'archive' }],
  ['Rar!\x1a', { kind: 'foreign', found: 'archive' }],
  ['7z\xbc\xaf', { kind: 'foreign', found: 'archive' }],
]

/** The first bytes of Office's old files, and of new ones that are encrypted with a password. */
const compoundFile = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

/** Recognises a file by its content. The name and type only tell which kind of text a text file is. */
export const kindOf = (bytes: Uint8Array, name: string, mimeType: string): FileKind => {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const known = signatures.find(([signature]) => start.startsWith(signature))
  if (known) return known[1]
  if (start.startsWith(compoundFile)) return compoundKind(bytes, name)
  if (isPicture(start)) return { kind: 'foreign', found: 'picture' }
  return kindOfText(start, extensionOf(name), mimeType)
}

const extensionOf = (name: string): string => /\.([a-z\d]{1,8})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? ''

const compoundKind = (bytes: Uint8Array, name: string): FileKind => {
  const encrypted = Buffer.from('EncryptedPackage', 'utf16le')
  const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(encrypted)
  if (isEncrypted) return { kind: 'protected' }
  return { kind: 'foreign', found: extensionOf(name) === 'doc' ? 'word' : 'old_excel' }
}

/** Whether the file is a WebP or HEIC picture. Their signatures do not start at the first byte. */
const isPicture = (start: string): boolean =>
  (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') || /^ftyp(hei|mif|avif)/.test(start.slice(4))

const plainExtensions = new Set(['', 'txt', 'text', 'log', 'md'])
/** Many programs write tables as text into a file with an Excel extension. */
const tableExtensions = new Set(['csv', 'tsv', 'tab', 'xls', 'xlsx'])

const kindOfText = (start: string, extension: string, mimeType: string): FileKind => {
  if (/^\s*</.test(start)) return { kind: 'foreign', found: extension === 'xls' ? 'old_excel' : 'other' }
  if (tableExtensions.has(extension)) return { kind: 'csv' }
  if (plainExtensions.has(extension)) return { kind: mimeType.includes('csv') ? 'csv' : 'text' }
  if (mimeType.startsWith('text/csv')) return { kind: 'csv' }
  if (mimeType.startsWith('text/plain')) return { kind: 'text' }
  return { kind: 'foreign', found: 'other' }
}
