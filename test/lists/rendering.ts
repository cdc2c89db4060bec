import { formatGhs } from '../../src/provider/money.ts'
import { bundles } from './market.ts'

/** A number and a bundle that must be found when the text is read. */
export interface Wanted {
  phone: string
  network: string
  /** In gigabytes, as it is written in the text. */
  size: string
  pricePesewas: number
}

/** The bundles that a number with the prefix gets without a question. */
const products = [
  {
    prefixes: ['024', '025', '053', '054', '055', '059'],
    network: 'MTN',
    sizes: ['1', '2', '3', '4', '5', '10'],
  },
  { prefixes: ['020', '050'], network: 'Telecel', sizes: ['2', '5', '7.5', '10'] },
  { prefixes: ['026', '027', '056', '057'], network: 'AirtelTigo', sizes: ['1', '2', '3'] },
  { prefixes: ['026', '027', '056', '057'], network: 'BigTime', sizes: ['15', '100'] },
]

/** @param pick returns a whole number from 0 to below the given one */
export const wantedOf = (pick: (below: number) => number): Wanted => {
  const { prefixes, network, sizes } = of(products, pick)
  const size = of(sizes, pick)
  const rest = String(pick(10_000_000)).padStart(7, '0')
  const bundle = bundles.find((each) => each.network === network && each.volume === `${size}GB`)
  return { phone: `${of(prefixes, pick)}${rest}`, network, size, pricePesewas: bundle?.pricePesewas ?? 0 }
}

/** @returns a list in which no number occurs twice */
export const wantedList = (length: number, pick: (below: number) => number): Wanted[] => {
  const list = Array.from({ length }, () => wantedOf(pick))
  return [...new Map(list.map((wanted) => [wanted.phone, wanted])).values()]
}

export const of = <T>(values: readonly T[], pick: (below: number) => number): T => {
  const value = values[pick(values.length)]
  if (value === undefined) throw new RangeError('There is nothing to pick from.')
  return value
}

const each = (line: (wanted: Wanted, index: number) => string) => (list: readonly Wanted[]) =>
  list.map(line).join('\n')

const spaced = (phone: string): string => `${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}`
const names = ['Kofi', 'Ama Serwaa', 'Yaw', 'Efua', 'Mr. Boateng', 'Maame Yaa']
const nameOf = (index: number): string => names[index % names.length] ?? ''
const amountOf = ({ pricePesewas }: Wanted): string =>
  formatGhs(pricePesewas as Parameters<typeof formatGhs>[0])

const grouped = (list: readonly Wanted[], key: (wanted: Wanted) => string): [string, Wanted[]][] => [
  ...Map.groupBy(list, key),
]

const rows = (
  list: readonly Wanted[],
  delimiter: string,
  row: (wanted: Wanted, index: number) => string[],
): string => list.map((wanted, index) => row(wanted, index).join(delimiter)).join('\n')

/**
 * The ways in which people write a list. Each text reads back to the same list, except that headings may group its
 * lines.
 */
export const formats: Record<string, (list: readonly Wanted[]) => string> = {
  plain: each(({ phone, size }) => `${phone} ${size}`),
  dashed: each(({ phone, size }) => `${phone} - ${size}gb`),
  commas: each(({ phone, size }) => `${phone},${size} GB`),
  equals: each(({ phone, size }) => `${phone}=${size}`),
  'size first': each(({ phone, size }) => `${size}gb ${phone}`),
  'numbered 1.': each(({ phone, size }, index) => `${index + 1}. ${phone} - ${size}gb`),
  'numbered 1)': each(({ phone, size }, index) => `${index + 1}) ${phone} ${size}`),
  'numbered (1)': each(({ phone, size }, index) => `(${index + 1}) ${phone} ${size}GIG`),
  bullets: each(({ phone, size }) => `• ${phone} → ${size}GB 🙏`),
  international: each(({ phone, size }) => `+233 ${spaced(phone).slice(1)} ${size}gb`),
  'country code': each(({ phone, size }) => `233${phone.slice(1)}: ${size}`),
  'spaced numbers': each(({ phone, size }) => `${spaced(phone)} ${size}GB`),
  'hyphened numbers': each(({ phone, size }) => `${spaced(phone).replaceAll(' ', '-')}, ${size}`),
  'zeros lost': each(({ phone, size }) => `${phone.slice(1)}\t${size}`),
  bold: each(({ phone, size }) => `*${phone}* *${size}GB*`),
  'full width': each(({ phone, size }) => `${wide(phone)}　${size}gb`),
  'Arabic-Indic': each(
    ({ phone, size }) => `${arabic(phone)} ${size.includes('.') ? size : arabic(size)} gb`,
  ),
  invisible: each(
    ({ phone, size }) => `\u202a${phone.slice(0, 4)}\u200b${phone.slice(4)}\u202c\u00a0${size}\u00a0gb`,
  ),
  'names first': each(({ phone, size }, index) => `${nameOf(index)}: ${phone} ${size}gb`),
  'names last': each(({ phone, size }, index) => `${phone} ${size} ${nameOf(index)}`),
  'names and amounts': each(
    (wanted, index) => `${nameOf(index)} ${wanted.phone} ${wanted.size}gb ${amountOf(wanted)}`,
  ),
  polite: each(({ phone, size }) => `Please send ${size}gb to ${phone}, thank you`),
  networks: each(({ phone, size, network }) => `${phone} ${size} ${network.toLowerCase()}`),
  'network first': each(({ phone, size, network }) => `${network} ${phone} ${size}GB`),
  'two lines each': each(({ phone, size }) => `${phone}\n${size}gb`),
  'two lines each, apart': each(({ phone, size }, index) => `${nameOf(index)}\n${phone}\n${size}\n`),
  'three lines each': each(({ phone, size, network }) => `${phone}\n${size}gb\n${network}`),
  'one line': (list) => list.map(({ phone, size }) => `${phone} ${size}`).join(', '),
  'one line, size first': (list) => list.map(({ phone, size }) => `${size}gb ${phone}`).join('; '),
  'three a line': (list) =>
    list.map(({ phone, size }, index) => `${phone} ${size}gb${index % 3 === 2 ? '\n' : ' / '}`).join(''),
  'networks above': (list) =>
    grouped(list, ({ network }) => network)
      .map(([network, group]) => `${network}:\n${formats.plain?.(group)}`)
      .join('\n\n'),
  'sizes above': (list) =>
    grouped(list, ({ size }) => size)
      .map(([size, group]) => `${size}GB\n${group.map(({ phone }) => phone).join('\n')}`)
      .join('\n'),
  'networks and sizes above': (list) =>
    grouped(list, ({ network, size }) => `${network} ${size}GB`)
      .map(([heading, group]) => `*${heading}*\n${group.map(({ phone }) => phone).join('\n')}`)
      .join('\n\n'),
  table: (list) => `Number\tGB\n${rows(list, '\t', ({ phone, size }) => [phone, size])}`,
  'table of five columns': (list) =>
    `S/N,Customer Name,Data (GB),Phone Number,Amount (GHS)\n${rows(list, ',', (wanted, index) => [String(index + 1), nameOf(index), wanted.size, wanted.phone, (wanted.pricePesewas / 100).toFixed(2)])}`,
  'table with networks': (list) =>
    `Network;Volume;Phone\n${rows(list, ';', ({ network, size, phone }) => [network, `${size}GB`, phone])}`,
  'copied chat': each(
    ({ phone, size }, index) => `[21/11/2026, 08:${minute(index)}] ${nameOf(index)}: ${phone} ${size}gb`,
  ),
  'exported chat': each(
    ({ phone, size }, index) => `21/11/2026, 08:${minute(index)} - Kofi: ${phone} ${size}`,
  ),
  'with a total': (list) =>
    `${formats.dashed?.(list)}\n\nTotal: ${list.length} numbers, ${list.length * 5}GB`,
  'with greetings': (list) => `Good morning boss 🙏\n\n${formats.plain?.(list)}\n\nThanks, God bless you`,
}

const minute = (index: number): string => String(index % 60).padStart(2, '0')
const wide = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
const arabic = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
