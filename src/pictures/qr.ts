import encodeQR from 'qr'
import { round } from './drawable-text.ts'
import { field } from './drawing.ts'
import { ink } from './theme.ts'

/** The width of the white border, in modules. Phones do not detect a code without this border. */
const quiet = 3

/**
 * A QR code as SVG, on a white square.
 * @param side the side of the square, in pixels
 */
export const qrCode = (text: string, { x, y, side }: { x: number; y: number; side: number }): string => {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quiet })
  const step = side / modules.length
  const runs = modules.flatMap((row, line) => runsOf(row).map(([from, count]) => ({ line, from, count })))
  const path = runs.map(({ line, from, count }) => `M${from} ${line}h${count}v1h-${count}z`).join('')
  return [
    field({ x, y, width: side, height: side }, ink.card, 20),
    `<path transform="translate(${round(x)} ${round(y)}) scale(${step.toFixed(4)})" fill="${ink.dark}" d="${path}"/>`,
  ].join('')
}

/** The runs of dark modules in a row: where each begins, and how many modules it has. */
const runsOf = (row: readonly boolean[]): [from: number, count: number][] => {
  const runs: [number, number][] = []
  for (const [index, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === index) last[1] += 1
    else runs.push([index, 1])
  }
  return runs
}
