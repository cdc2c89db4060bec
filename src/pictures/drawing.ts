import { round } from './drawable-text.ts'
import { ink, width } from './theme.ts'

/** In pixels. `x` and `y` are its upper left corner. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A rectangle of one colour. Its corners are rounded if `radius` is given. */
export const field = (box: Box, fill: string, radius = 0): string =>
  `<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${round(box.height)}" rx="${radius}" fill="${fill}"/>`

export const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" fill="${fill}"/>`

/**
 * Puts the parts together into a picture of the given height, in pixels. Later parts cover earlier ones. The result
 * is SVG, which `render` turns into a PNG.
 */
export const drawing = (height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.ceil(height)}" viewBox="0 0 ${width} ${Math.ceil(height)}">${field({ x: 0, y: 0, width, height: Math.ceil(height) }, ink.page)}${parts.join('')}</svg>`
