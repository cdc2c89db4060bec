import { SaxesParser } from 'saxes'
import { FileRefused, unpackedTooLarge } from './file-refusal.ts'

/** Receives the pieces of an XML document in order. Names come without their namespace prefix. */
export interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
  /** Asked between chunks; true stops the reading. */
  isDone?(): boolean
}

const deepest = 50
/** The most elements of a document. Ten thousand rows of a hundred cells, each with a value, have two million. */
const maxElements = 3_000_000
/**
 * The longest tag, comment or text between two tags, in characters. A cell has at most 32,767 characters, each
 * written with at most six.
 */
const maxPieceLength = 262_144

/**
 * Reads XML in chunks and keeps none of it in memory. Only XML's own five entities are supported. A document that
 * declares others is refused; no spreadsheet does.
 * @throws FileRefused if the XML is not well formed, or malicious
 */
export const readXml = async (chunks: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> => {
  let unheard = 0
  const parser = createParser(reader, () => {
    unheard = 0
  })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    unheard += text.length
    parser.write(text)
    if (unheard > maxPieceLength) throw unpackedTooLarge()
    if (reader.isDone?.()) return
  }
  parser.write(decoder.decode()).close()
}

const createParser = (reader: XmlReader, onHeard: () => void) => {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  let depth = 0
  let elements = 0
  const readText = (text: string) => {
    onHeard()
    reader.text?.(text)
  }
  parser.on('error', unreadable)
  parser.on('doctype', () => unreadable())
  parser.on('text', readText)
  parser.on('cdata', readText)
  parser.on('opentag', ({ name, attributes }) => {
    onHeard()
    depth += 1
    elements += 1
    if (depth > deepest) unreadable()
    if (elements > maxElements) throw unpackedTooLarge()
    reader.open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    onHeard()
    depth -= 1
    reader.close?.(localName(name))
  })
  return parser
}

const unreadable = (cause?: Error): never => {
  throw new FileRefused({ code: 'unreadable' }, { cause })
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
