import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { fileLimits } from './file-limits.ts'
import { FileRefused, unpackedTooLarge } from './file-refusal.ts'

/** The parts of a zip file, by name. The unpacked size of all parts together is limited (`fileLimits`). */
export interface Archive {
  has(name: string): boolean
  names(): Iterable<string>
  /**
   * The unpacked bytes of a part, in chunks.
   * @throws FileRefused if the part is missing, encrypted or damaged, or the limit is exceeded
   */
  read(name: string): AsyncGenerator<Uint8Array>
}

/** No workbook needs so many; most have a few dozen parts. */
const maxParts = 5_000

/**
 * Reads the directory of a zip file.
 * @throws FileRefused if the file is damaged
 */
export const openArchive = async (bytes: Uint8Array): Promise<Archive> => {
  const { zip, entries } = await readDirectory(bytes).catch(damaged)
  const budget = createBudget()
  return {
    has: (name) => entries.has(name),
    names: () => entries.keys(),
    read: (name) => unpack(zip, entries.get(name), budget),
  }
}

const damaged = (cause: unknown): never => {
  throw new FileRefused({ code: 'unreadable' }, { cause })
}

const readDirectory = async (bytes: Uint8Array): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> => {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
    lazyEntries: true,
  })
  const entries = new Map<string, Entry>()
  if (zip.entryCount > maxParts) return damaged(`${zip.entryCount} parts`)
  for await (const entry of zip.eachEntry()) {
    if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
  }
  return { zip, entries }
}

interface Budget {
  holds(bytes: number): boolean
  spend(bytes: number): void
}

const createBudget = (): Budget => {
  let left: number = fileLimits.unpackedBytes
  return {
    holds: (bytes) => bytes <= left,
    spend: (bytes) => {
      left -= bytes
      if (left < 0) throw unpackedTooLarge()
    },
  }
}

/**
 * A part whose declared size is too large is not read at all. A small declared size is not trusted either: each
 * chunk is counted.
 */
async function* unpack(zip: ZipFile, entry: Entry | undefined, budget: Budget): AsyncGenerator<Uint8Array> {
  if (!entry) throw new FileRefused({ code: 'unreadable' })
  if (entry.isEncrypted()) throw new FileRefused({ code: 'protected' })
  if (!budget.holds(entry.uncompressedSize)) throw unpackedTooLarge()
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      budget.spend(chunk.length)
      yield chunk
    }
  } catch (error) {
    if (error instanceof FileRefused) throw error
    damaged(error)
  }
}
