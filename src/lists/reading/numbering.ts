import type { PlacedLine } from './entry.ts'
import type { SizeItem } from './grammar/item.ts'
import type { WrittenLine } from './written-line.ts'

/**
 * Reads lines with `1 …`, `2 …`, `3 …` in front of their phones. If the sizes are elsewhere, these numbers are line
 * numbers and are dropped. If not, they may be the sizes, and the lines have to be corrected.
 *
 * @param hasFixed a bundle was chosen, so no line needs a size
 */
export const readCounters = (lines: readonly PlacedLine[], hasFixed: boolean): void => {
  const others = lines.some(
    ({ written: { kind, size } }) => kind === 'share' || (kind === 'size' && size?.hasUnit),
  )
  let run: WrittenLine[] = []
  for (const { written: line } of lines) {
    if (line.phones === 0) continue
    if (!continues(run, line)) {
      readRun(run, hasFixed || others)
      run = []
    }
    if (line.lead) run.push(line)
  }
  readRun(run, hasFixed || others)
}

const counterOf = (line: WrittenLine | undefined): number => line?.lead?.size.amount ?? Number.NaN

const continues = (run: readonly WrittenLine[], line: WrittenLine): boolean =>
  run.length === 0 || counterOf(line) === counterOf(run.at(-1)) + 1

const readRun = (run: readonly WrittenLine[], needNoSize: boolean): void => {
  const withSizes = run.filter((line) => (line.pairs[0]?.sizes.length ?? 0) > 1).length
  if (withSizes > 0) {
    if (isCounting(run)) run.forEach(dropLead)
  } else if (run.length > 1 && counterOf(run[0]) === 1) {
    run.forEach(needNoSize ? dropLead : doubtLead)
  } else {
    run.filter(({ lead }) => lead?.touchesMark).forEach(needNoSize ? dropLead : doubtLead)
  }
}

/**
 * Whether the leading numbers count lines: three or more in a row do. One or two do if they start at 1 and a sign
 * separates each from its phone.
 */
const isCounting = (run: readonly WrittenLine[]): boolean => {
  if (run.length > 2) return true
  return counterOf(run[0]) === 1 && run.every(({ lead }) => lead !== null && partsCounter(lead))
}

const partsCounter = ({ mark }: SizeItem): boolean =>
  mark === '-' || mark === ':' || mark === '\t' || mark === '.'

const dropLead = (line: WrittenLine): void => {
  const [pair] = line.pairs
  if (!pair) return
  pair.sizes = pair.sizes.filter((size) => size !== line.lead)
  if (pair.sizes.length === 0 && line.problems.length === 0) line.kind = 'numbers'
}

const doubtLead = (line: WrittenLine): void => {
  line.problems = [...line.problems, { code: 'numbering_or_size', written: line.lead?.written ?? '' }]
}
