import { posix } from 'node:path'
import type { Archive } from './archive.ts'
import { formatOf, type NumberFormat, unescaped } from './cell.ts'
import { fileLimits } from './file-limits.ts'
import { FileRefused, type ForeignKind, pushWithin } from './file-refusal.ts'
import { readXml } from './xml.ts'

/**
 * A workbook's sheets in order, and the tables that their cells refer to.
 *
 * It is read with yauzl and saxes, because well-maintained libraries for workbooks unpack the whole file before they
 * look at it, and turn phones into numbers. Here a zip bomb, a deeply nested sheet or a false size is refused at the
 * first byte, cell or line over the limit (`file-limits.ts`).
 */
export interface Workbook {
  /** The sheets that are not hidden. */
  sheets: { name: string; part: string }[]
  shared: string[]
  /** The number formats, by the index of a cell's style. */
  formats: NumberFormat[]
}

/** Finds the sheets and tables of a workbook. @throws FileRefused if the zip file is not a workbook */
export const openWorkbook = async (archive: Archive): Promise<Workbook> => {
  const part = await workbookPart(archive)
  const relations = await readRelations(archive, part)
  const target = (kind: string) => relations.find(({ type }) => type.endsWith(`/${kind}`))?.target
  return {
    sheets: await readSheets(archive, part, relations),
    shared: await readShared(archive, target('sharedStrings')),
    formats: await readStyles(archive, target('styles')),
  }
}

interface Relation {
  id: string
  type: string
  target: string
}

const maxSheets = 200
const maxRelations = 2_000
/** Excel's own limit. */
const maxStyles = 65_536

const workbookPart = async (archive: Archive): Promise<string> => {
  const main = (await readRelations(archive, '')).find(({ type }) => type.endsWith('/officeDocument'))
  const isWorkbook = main?.target.endsWith('.xml') && !/^(word|ppt|visio)\//.test(main.target)
  if (main && isWorkbook && archive.has(main.target)) return main.target
  throw new FileRefused({ code: 'unknown_kind', found: foreignKind(archive, main?.target ?? '') })
}

const foreignKind = (archive: Archive, main: string): ForeignKind => {
  if (main.startsWith('word/')) return 'word'
  if (main.endsWith('.bin') || archive.has('content.xml') || archive.has('Index/Document.iwa')) {
    return 'other_spreadsheet'
  }
  return main === '' ? 'archive' : 'other'
}

/** The parts to which a part refers; empty if there are none. The part `''` stands for the whole package. */
const readRelations = async (archive: Archive, part: string): Promise<Relation[]> => {
  const folder = posix.dirname(part)
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  const found: Relation[] = []
  if (!archive.has(name)) return found
  await readXml(archive.read(name), {
    open: (tag, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (tag !== 'Relationship') return
      pushWithin(maxRelations, found, { id, type, target: resolved(folder, target) })
    },
  })
  return found
}

const resolved = (folder: string, target: string): string =>
  target.startsWith('/') ? posix.normalize(target).slice(1) : posix.join(folder, target)

const readSheets = async (
  archive: Archive,
  part: string,
  relations: readonly Relation[],
): Promise<Workbook['sheets']> => {
  const worksheets = new Map(
    relations.filter(({ type }) => type.endsWith('/worksheet')).map(({ id, target }) => [id, target]),
  )
  const sheets: Workbook['sheets'] = []
  await readXml(archive.read(part), {
    open: (tag, attributes) => {
      if (tag !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return
      const target = worksheets.get(relationId(attributes))
      if (target !== undefined) pushWithin(maxSheets, sheets, { name: attributes.name ?? '', part: target })
    },
  })
  return sheets
}

const relationId = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

/** The most shared texts: 50 for each line, more than the largest workbook that is read needs. */
const maxShared = 50 * fileLimits.lines

const readShared = async (archive: Archive, part: string | undefined): Promise<string[]> => {
  const shared: string[] = []
  if (part === undefined || !archive.has(part)) return shared
  const collect = createTextCollector('si')
  await readXml(archive.read(part), {
    ...collect,
    close: (tag) => {
      collect.close(tag)
      if (tag === 'si') pushWithin(maxShared, shared, unescaped(collect.taken()))
    },
  })
  return shared
}

/** Collects the text of an element, which may consist of runs (`<r><t>`), without phonetic readings (`<rPh>`). */
const createTextCollector = (whole: string) => {
  let text = ''
  let inText = false
  let inReading = false
  return {
    open: (tag: string) => {
      if (tag === whole) text = ''
      else if (tag === 't') inText = true
      else if (tag === 'rPh') inReading = true
    },
    close: (tag: string) => {
      if (tag === 't') inText = false
      else if (tag === 'rPh') inReading = false
    },
    text: (part: string) => {
      if (inText && !inReading) text += part
    },
    taken: () => text,
  }
}

const readStyles = async (archive: Archive, part: string | undefined): Promise<NumberFormat[]> => {
  const formats: NumberFormat[] = []
  if (part === undefined || !archive.has(part)) return formats
  const codes = new Map<number, string>()
  let inCells = false
  await readXml(archive.read(part), {
    open: (tag, { numFmtId = '0', formatCode }) => {
      const id = Number(numFmtId)
      if (tag === 'numFmt' && formatCode !== undefined && codes.size < maxStyles) codes.set(id, formatCode)
      else if (tag === 'cellXfs') inCells = true
      else if (tag === 'xf' && inCells) pushWithin(maxStyles, formats, formatOf(id, codes.get(id)))
    },
    close: (tag) => {
      if (tag === 'cellXfs') inCells = false
    },
  })
  return formats
}
