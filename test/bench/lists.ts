import { nearTwins } from '../../src/lists/meaning/near-twins.ts'
import { readList } from '../../src/lists/read-list.ts'
import { defaultPrefixes } from '../../src/lists/read-phone.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { bundles } from '../lists/market.ts'
import { type Figure, inTurn } from './table.ts'

/** Templates of lines that resellers paste. `#` is seven digits. */
const messy = [
  '1. 024# - 2gb',
  'Kofi Mensah 055#, 10gb',
  '+233 24 # 2gb',
  '[21/11/2026, 08:12] Ama: 020# 2gb please',
  'MTN',
  '027# 3GB GHS 12.50',
  '',
  'Good morning boss 🙏',
  '054# 5, 020# 10',
  '059#',
  '5gb',
  '024# 2x5gb',
]

const runs = 51
/** V8 compiles the code while it reads these lines, before the measurement. */
const warmUpLines = 20_000

export const lists = async (): Promise<Figure[]> => {
  const warmUp = textOf(warmUpLines)
  read(warmUp)
  split(warmUp)
  return [await reading(100), await reading(1_000), await falseAlerts()]
}

const reading = async (lines: number): Promise<Figure> => {
  const text = textOf(lines)
  return {
    what: `a messy list of ${lines.toLocaleString('en')} lines read`,
    unit: 'ms',
    ...(await inTurn(
      runs,
      () => timeOf(() => read(text)),
      () => timeOf(() => split(text)),
    )),
    against: 'lines and a regular expression',
  }
}

/** A list in which each number occurs once. */
const textOf = (lines: number): string =>
  Array.from({ length: lines }, (_, index) =>
    (messy[index % messy.length] ?? '').replaceAll('#', () =>
      String(1_000_000 + ((index * 7919) % 8_999_999)),
    ),
  ).join('\n')

const timeOf = (work: () => unknown): number => {
  const startedMs = performance.now()
  work()
  return performance.now() - startedMs
}

const read = (text: string): void => {
  const { recipients } = readList(text, { bundles, prefixes: defaultPrefixes, fixedBundleId: null })
  if (recipients.length < text.length / 100) throw new Error('The list was not read.')
}

/** The baseline: finds only one number with one size on a line. */
const line = /((?:\+?233|0)[\d ]{9,11}).*?(\d+(?:\.\d+)?) ?(?:gb|mb)/i

const split = (text: string): void => {
  const found = text
    .split('\n')
    .map((each) => line.exec(each))
    .filter((each) => each !== null)
  if (found.length < text.length / 100) throw new Error('The list was not split.')
}

/**
 * How many numbers of a random list are falsely reported as a typing slip of another number: one of the list, or one
 * that is saved or often ordered for.
 */
const falseAlerts = async (): Promise<Figure> => {
  const random = (count: number) =>
    Array.from(
      { length: count },
      () => `024${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}` as Phone,
    )
  const rate = (count: number) => (nearTwins(random(count), new Set(random(200))).length / count) * 1_000
  const alerts = await inTurn(
    5,
    () => rate(10_000),
    () => rate(500),
  )
  return {
    what: 'false alarms of near twins, in a random list of 10,000',
    unit: 'in 1,000',
    ...alerts,
    against: 'in a list of 500',
  }
}
