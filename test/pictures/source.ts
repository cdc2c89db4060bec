import { createRequire } from 'node:module'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { SaxesParser } from 'saxes'

/** A line of text in a picture, and where it begins and ends when it is drawn. */
export interface Line {
  text: string
  left: number
  right: number
  y: number
  size: number
}

/** The texts in a picture. @throws if its source is not well-formed XML. */
export const linesIn = (svg: string): Line[] => {
  const lines: Line[] = []
  let open: { attributes: Record<string, string>; text: string } | null = null
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'text') open = { attributes: attributes as Record<string, string>, text: '' }
  })
  parser.on('text', (text) => {
    if (open) open.text += text
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'text' && open) lines.push(lineOf(open.attributes, open.text))
    if (name === 'text') open = null
  })
  parser.write(svg).close()
  return lines
}

export const textsIn = (svg: string): string[] => linesIn(svg).map(({ text }) => text)

/** The size in pixels that the picture's source gives. */
export const sizeOf = (svg: string): { width: number; height: number } => {
  const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? []
  return { width: Number(width), height: Number(height) }
}

const lineOf = (attributes: Record<string, string>, text: string): Line => {
  const size = Number(attributes['font-size'])
  const x = Number(attributes.x)
  const width = measured(text, size, Number(attributes['font-weight']))
  const before = { start: 0, middle: width / 2, end: width }[attributes['text-anchor'] ?? 'start'] ?? 0
  return { text, left: x - before, right: x - before + width, y: Number(attributes.y), size }
}

const require = createRequire(import.meta.url)
for (const name of ['Medium', 'Bold', 'ExtraBold'])
  GlobalFonts.registerFromPath(require.resolve(`inter-ui/web/Inter-${name}.woff2`), 'Inter')
const context = createCanvas(1, 1).getContext('2d')

/** The width at which the library draws the text. */
export const measured = (text: string, size: number, weight: number): number => {
  context.font = `${weight} ${size}px Inter`
  return context.measureText(text).width
}
