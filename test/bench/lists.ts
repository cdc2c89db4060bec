import { parse } from 'csv-parse/sync'
import { readList } from '../../src/lists/list.ts'
import { nearTwins } from '../../src/lists/near-twins.ts'
import { defaultPrefixes } from '../../src/lists/phone.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { bundles } from '../lists/market.ts'
import { type Figure, inTurn, median, repeats } from './figure.ts'

const total = 100_000
const whole = 10_000

/** Lines as resellers paste them. `#` is seven digits. */
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

/** Lists read per second, against what is needed to split the same text into fields and no more. */
export const lists = async (): Promise<Figure[]> => {
  const text = textOf(total)
  await inTurn(
    2,
    async () => readingMs(text),
    async () => splittingMs(text),
  )
  const [reads, splits] = await inTurn(
    repeats,
    async () => total / (readingMs(text) / 1000),
    async () => total / (splittingMs(text) / 1000),
  )
  const short = textOf(whole)
  const [readTimes, splitTimes] = await inTurn(
    repeats,
    async () => readingMs(short),
    async () => splittingMs(short),
  )
  const against = 'csv-parse splits it into fields'
  return [
    {
      what: 'lines of messy lists read',
      unit: 'per second',
      bot: median(reads),
      baseline: median(splits),
      against,
      goal: { ratioAbove: 0.5 },
    },
    {
      what: '10,000 lines of a messy list read',
      unit: 'ms',
      bot: median(readTimes),
      baseline: median(splitTimes),
      against,
      goal: { under: 100 },
    },
    await falseAlarms(),
  ]
}

/** Numbers of a random list of MTN that are named as a slip of another, or of one that is saved or often served. */
const falseAlarms = async (): Promise<Figure> => {
  const random = (count: number) =>
    Array.from(
      { length: count },
      () => `024${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}` as Phone,
    )
  const rate = async (count: number) =>
    (nearTwins(random(count), new Set(random(200))).length / count) * 1_000
  const [long, short] = await inTurn(
    repeats,
    () => rate(whole),
    () => rate(500),
  )
  return {
    what: 'numbers of a random list named as near twins: 10,000, against 500',
    unit: 'in 1,000',
    bot: median(long),
    baseline: median(short),
    against: 'the same for a list of 500',
    goal: { under: 5 },
  }
}

/** Each number stands once. */
const textOf = (lines: number): string =>
  Array.from({ length: lines }, (_, index) =>
    (messy[index % messy.length] ?? '').replaceAll('#', () =>
      String(1_000_000 + ((index * 7919) % 8_999_999)),
    ),
  ).join('\n')

const readingMs = (text: string): number => {
  const began = performance.now()
  const { recipients } = readList(text, { bundles, prefixes: defaultPrefixes, fixedBundleId: null })
  if (recipients.length < text.length / 100) throw new Error('The list was not read.')
  return performance.now() - began
}

const splittingMs = (text: string): number => {
  const began = performance.now()
  const rows: string[][] = parse(text, {
    delimiter: [',', ';', '\t'],
    relax_column_count: true,
    relax_quotes: true,
  })
  if (rows.length < text.length / 100) throw new Error('The list was not split.')
  return performance.now() - began
}
