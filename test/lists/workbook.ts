import { crc32, deflateRawSync } from 'node:zlib'

/** One part of a zip file. `declaredSize` is what the archive claims that it unpacks to. */
export interface Part {
  name: string
  content: string | Buffer
  declaredSize?: number
  encrypted?: boolean
}

/** Writes a zip file by hand, so that it can state false sizes. */
export const zipOf = (parts: readonly Part[]): Buffer => {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, declaredSize, encrypted } of parts) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const file = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(encrypted ? 0x801 : 0x800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(declaredSize ?? bytes.length, 18)
    common.writeUInt16LE(file.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, file, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, file]))
    locals.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end])
}

export interface SheetParts {
  name: string
  /** The content of `<sheetData>`, or the whole part if it begins with `<?xml`. */
  rows: string | Buffer
  hidden?: boolean
  declaredSize?: number
}

export interface WorkbookParts {
  sheets: readonly SheetParts[]
  /** The content of `<sst>`. */
  shared?: string
  /** The content of `<styleSheet>`. */
  styles?: string
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'

/** The parts of a workbook as Excel writes them. */
export const partsOf = ({ sheets, shared, styles }: WorkbookParts): Part[] => {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const listed = sheets.map(({ name, hidden }, at) => {
    const state = hidden ? ' state="hidden"' : ''
    return `<sheet name="${name}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`
  })
  const relations = sheets.map((_, at) =>
    relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`),
  )
  return [
    { name: '[Content_Types].xml', content: `${head}<Types/>` },
    {
      name: '_rels/.rels',
      content: `${head}<Relationships ${packageRelations}>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `${head}<workbook ${main} xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${head}<Relationships ${packageRelations}>${relations.join('')}${relation('rIdS', 'sharedStrings', 'sharedStrings.xml')}${relation('rIdT', 'styles', '/xl/styles.xml')}</Relationships>`,
    },
    { name: 'xl/styles.xml', content: `${head}<styleSheet ${main}>${styles ?? ''}</styleSheet>` },
    { name: 'xl/sharedStrings.xml', content: `${head}<sst ${main}>${shared ?? ''}</sst>` },
    ...sheets.map(({ rows, declaredSize }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: sheetOf(rows),
      ...(declaredSize !== undefined && { declaredSize }),
    })),
  ]
}

const sheetOf = (rows: string | Buffer): string | Buffer =>
  typeof rows === 'string' && !rows.startsWith('<?xml')
    ? `${head}<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`
    : rows

export const workbookOf = (parts: WorkbookParts): Buffer => zipOf(partsOf(parts))
