import type { Document } from 'grammy/types'
import { fileLimits } from '../../../lists/files/file-limits.ts'
import type { FileRefusal, FileText } from '../../../lists/files/read-file.ts'
import type { Download } from './download.ts'

/** The list in a document that a person sent, or why there is none. */
export type FileReading =
  | FileText
  | ({ kind: 'refused' } & FileRefusal)
  /** The document could not be loaded from Telegram. */
  | { kind: 'unavailable'; reason: string }

/** `secret`: the file holds a credential, so the rest of it was not read. */
export type ListFileReading = FileReading | { kind: 'secret' }

type IsSecret = (text: string) => Promise<boolean>

/**
 * Files with credentials are small. This many bytes at the start of a file are searched, whatever type the file claims.
 */
export const smallBytes = 64 * 1024

/** How many files are read at once. The rest wait on Telegram's side, so that large ones don't fill memory. */
const maxAtOnce = 2

/** Loads and reads documents, a few at a time. */
export const createListFiles = (download: (document: Document) => Promise<Download>) => {
  let working = 0
  const waiting: (() => void)[] = []

  const turn = async (): Promise<void> => {
    if (working >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else working += 1
  }

  /** Lets the document that has waited longest begin. */
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else working -= 1
  }

  return async (document: Document, isSecret: IsSecret): Promise<ListFileReading> => {
    await turn()
    try {
      const loaded = await download(document)
      if (loaded.kind === 'loaded' && (await isSecret(bareText(loaded.bytes)))) return { kind: 'secret' }
      const read = await readLoaded(loaded, document)
      return read.kind === 'text' && (await isSecret(read.text)) ? { kind: 'secret' } : read
    } finally {
      leave()
    }
  }
}

/** The start of a file as text, to search it for credentials. Removing zero bytes makes UTF-16 readable too. */
const bareText = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes.subarray(0, smallBytes)).replaceAll('\0', '')

const readLoaded = async (
  loaded: Download,
  { file_name = '', mime_type = '' }: Document,
): Promise<FileReading> => {
  switch (loaded.kind) {
    case 'loaded': {
      // Imported here, so that the code for tables and workbooks is loaded only with the first file.
      const { readFile } = await import('../../../lists/files/read-file.ts')
      return readFile({ name: file_name, mimeType: mime_type, bytes: loaded.bytes })
    }
    case 'too_large':
      return { kind: 'refused', code: 'too_large', limitBytes: fileLimits.bytes, unpacked: false }
    case 'unavailable':
      return loaded
  }
}
