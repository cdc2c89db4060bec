import type { Network } from '../../../provider/network.ts'
import { readPhone } from '../../read-phone.ts'
import { isSameSize } from '../../size.ts'
import { moneyIn } from './amount.ts'
import type { Item } from './item.ts'
import { itemsOf } from './read-items.ts'
import { tokensOf } from './token.ts'
import { inUnit, type RulingUnit, unitIn, withoutFigures } from './unit.ts'
import { meaningOf, type Role } from './vocabulary.ts'

export interface Columns {
  columns: readonly Column[]
  /** The character between the cells; null if they are separated by several spaces. */
  delimiter: string | null
  /** The network that the header names: `MTN numbers`. */
  network: { network: Network; written: string } | null
}

interface Column {
  role: Role
  /** The unit for sizes that are written without one. */
  unit: RulingUnit | null
}

const delimiters = ['\t', ';', '|', ','] as const

/** The character that separates the cells of a line; null if there is none. */
export const delimiterOf = (line: string): string | null =>
  delimiters.find((sign) => line.includes(sign)) ?? null

export const cellsOf = (line: string, delimiter: string | null): string[] => {
  if (delimiter === null) return line.trim().split(/ {2,}/)
  return line.includes('"') ? unquoted(line, delimiter) : line.split(delimiter)
}

/** `5GB,"23,50"`: a delimiter in quotes does not split the cell. */
const unquoted = (line: string, delimiter: string): string[] => {
  const cells: string[] = []
  let open: string | null = null
  for (const part of line.split(delimiter)) {
    const cell: string = open === null ? part : `${open}${delimiter}${part}`
    const isOpen = /^\s*"/.test(cell) && (cell.match(/"/g)?.length ?? 0) % 2 === 1
    open = isOpen ? cell : null
    if (!isOpen) cells.push(/^\s*"(.*)"\s*$/s.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell)
  }
  return open === null ? cells : [...cells, open]
}

/**
 * Reads the header of a table, such as `Number⇥GB`; null if the line is not a header.
 * @param line in plain characters
 */
export const readColumns = (line: string): Columns | null => {
  if (line.length > maxHeadLength) return null
  const words = withoutFigures(line)
  if (/\d/.test(words)) return null
  const delimiter = delimiterOf(words)
  const whole = cellsOf(line, delimiter)
  const cells = cellsOf(words, delimiter)
  const heads = cells.map((cell, index) => headOf(cell, whole.length === cells.length ? whole[index] : line))
  const columns = columnsOf(heads)
  const known = columns.filter(({ role }) => role !== 'other').length
  const isTable = known > 1 && columns.filter(({ role }) => role === 'phone').length === 1
  return isTable ? { columns, delimiter, network: networkIn(words) } : null
}

const maxHeadLength = 300

// ── Column headers ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Everything that the words of a column's header may mean. */
interface Head {
  roles: ReadonlySet<Role>
  unit: RulingUnit | null
  /** The column holds money, whatever else its header names: `Price per GB`. */
  isMoney: boolean
  /** The column holds neither phones nor sizes to order: `Voice (minutes)`. */
  isIrrelevant: boolean
  /** The column holds names or times: `Contact name`. */
  isName: boolean
  /** The header means a phone, not just any number. */
  isSurelyPhone: boolean
}

/** Header words of columns that hold neither phones nor sizes to order. */
const irrelevant = new Set(
  (
    'voice minutes minute mins min sms text texts status state reference ref transaction transactions txn trx ' +
    'email mail location town city region area address remark remarks comment comments note notes ' +
    'created updated ordered delivered expiry expires validity channel source method payment ' +
    'commission profit category type user username'
  ).split(' '),
)
const moneyWords = new Set('price prices cost costs'.split(' '))
const nameWords = new Set('name names date time'.split(' '))
const phoneWords = new Set(
  'phone phones mobile tel telephone cell msisdn msisdns phonenumber contact contacts recipient beneficiary'.split(
    ' ',
  ),
)

/**
 * What a column's header may mean.
 * @param whole the cell with its figures, because the unit may occur only among them: `(1024MB = 1GB)`
 */
const headOf = (cell: string, whole: string | undefined): Head => {
  const roles = new Set<Role>()
  let [isMoney, isIrrelevant, isName, isSurelyPhone] = [false, false, false, false]
  if (cell.trim() === '#') roles.add('index')
  for (const { kind, text } of tokensOf(cell)) {
    if (kind === 'mark') continue
    const word = text.toLowerCase()
    const meaning = meaningOf(word)
    isIrrelevant ||= irrelevant.has(word)
    isName ||= nameWords.has(word)
    isSurelyPhone ||= phoneWords.has(word)
    isMoney ||= moneyWords.has(word) || meaning?.as === 'currency'
    if (meaning?.as === 'label') roles.add(meaning.role)
    if (meaning?.as === 'total') roles.add('amount')
    if (meaning?.as === 'people') roles.add('phone')
  }
  return { roles, unit: unitIn(whole ?? cell, true), isMoney, isIrrelevant, isName, isSurelyPhone }
}

const columnsOf = (heads: readonly Head[]): Column[] => {
  const roles = heads.map(roleOf)
  const phones = heads.filter((_, index) => roles[index] === 'phone')
  const sure = phones.filter(({ isSurelyPhone }) => isSurelyPhone).length
  const hasUnit = heads.some(({ unit }, index) => unit !== null && roles[index] === 'size')
  const hasSize = roles.includes('size')
  return heads.map(({ unit, isSurelyPhone }, index) => {
    const role = roles[index] ?? 'other'
    if (role === 'phone' && phones.length > 1 && sure === 1 && !isSurelyPhone) return { role: 'index', unit }
    // `No.⇥GB`: here the number is a phone.
    if (role === 'index' && phones.length === 0 && hasSize) return { role: 'phone', unit }
    // `Bundle⇥Data (MB)`: the size is in the second column.
    if (role === 'size' && hasUnit && unit === null) return { role: 'other', unit }
    return { role, unit: role === 'size' ? unit : null }
  })
}

const roleOf = ({ roles, unit, isMoney, isIrrelevant, isName }: Head): Role => {
  if (isMoney) return 'amount'
  if (unit !== null) return 'size'
  if (isIrrelevant || isName) return 'ignored'
  // `Amount of data` is a size, `Amount` is money.
  const order: readonly Role[] = ['network', 'quantity', 'size', 'amount', 'phone', 'ignored', 'index']
  return order.find((role) => roles.has(role)) ?? 'other'
}

const networkIn = (words: string): Columns['network'] => {
  const named = itemsOf(words).filter((item) => item.kind === 'network' && item.isSure)
  const [first] = named
  return first?.kind === 'network' &&
    named.every((each) => each.kind === 'network' && each.network === first.network)
    ? first
    : null
}

/** Whether the cell for the phone is empty: the row is a sum, or its number is missing. */
export const lacksPhone = (line: string, { columns, delimiter }: Columns): boolean => {
  const at = columns.findIndex(({ role }) => role === 'phone')
  return (cellsOf(line, delimiter)[at] ?? '').trim() === ''
}

/** The same columns with a unit that another line names, above the header or below it. */
export const ruledBy = (columns: Columns, unit: RulingUnit): Columns => ({
  ...columns,
  columns: columns.columns.map((column) => (column.role === 'size' ? { ...column, unit } : column)),
})

/** The unit of the size column. Used for rows that do not fit the columns. */
export const unitOf = ({ columns }: Columns): RulingUnit | null => {
  const units = new Set(columns.flatMap(({ role, unit }) => (role === 'size' ? [unit] : [])))
  return units.size > 1 ? 'unclear' : ([...units][0] ?? null)
}

// ── Rows ──────────────────────────────────────────────────────────────────────────────────────────────────

/** The items of a row, each read by its column; null if the row does not fit the header. */
export const itemsOfRow = (line: string, table: Columns): Item[] | null => {
  const { columns } = table
  const cells = withWholeAmount(cellsOf(line, table.delimiter), table)
  if (cells.length < 2 || cells.length > columns.length) return null
  const hasSize = columns.some(({ role }) => role === 'size')
  const items = cells.flatMap((cell, index) => itemsOfCell(cell, columns[index], hasSize))
  const first = items.find((item) => item.kind === 'size')
  return items.filter((item) => item === first || !isSameAs(first, item))
}

/** Puts an amount together that its decimal comma has split, as in `0241234567,2GB,11,50` below three headings. */
const withWholeAmount = (cells: string[], { columns }: Columns): string[] => {
  const [phone, amount] = (['phone', 'amount'] as const).map((role) =>
    columns.findIndex((column) => column.role === role),
  )
  if (cells.length !== columns.length + 1 || phone === undefined || amount === undefined || amount < 0)
    return cells
  const [whole = '', cents = ''] = cells.slice(amount)
  const isSplit = /^\s*\d+$/.test(whole) && /^\d{2}\s*$/.test(cents) && readPhone(cells[phone] ?? '') !== null
  return isSplit ? cells.toSpliced(amount, 2, `${whole},${cents}`) : cells
}

const itemsOfCell = (cell: string, column: Column | undefined, hasSize: boolean): Item[] => {
  switch (column?.role) {
    case 'index':
      return []
    case 'ignored':
      return /\p{L}/u.test(cell) ? [isTotal(cell) ? { kind: 'total' } : { kind: 'name' }] : []
    case 'size':
      return itemsOf(column.unit === 'MB' ? withoutThousands(cell) : cell).map((item) =>
        inUnit(item, column.unit, true),
      )
    case 'amount':
      return moneyOf(cell)
    case 'quantity':
      return itemsOf(cell).flatMap(onceOnly)
    case 'other':
      return hasSize ? itemsOf(cell).filter(countsAnywhere) : itemsOf(cell)
    default:
      return itemsOf(cell)
  }
}

/** Removes thousands separators, as in `5,120` under `Data (MB)`. */
const withoutThousands = (cell: string): string =>
  /^\s*\d{1,3}(?:,\d{3})+\s*$/.test(cell) ? cell.replaceAll(',', '') : cell

const moneyOf = (cell: string): Item[] => {
  if (isTotal(cell)) return [{ kind: 'total' }]
  const pesewas = moneyIn(cell)
  return pesewas === null ? [] : [{ kind: 'amount', pesewas, isBetween: false, written: cell.trim() }]
}

const isTotal = (cell: string): boolean =>
  tokensOf(cell.slice(0, 100)).some(({ text }) => meaningOf(text)?.as === 'total')

const onceOnly = (item: Item): Item[] => {
  if (item.kind !== 'size') return [item]
  if (item.size.amount === 1 && !item.hasUnit) return []
  return [{ kind: 'fault', problem: { code: 'several_times', written: item.written }, isPhone: false }]
}

/**
 * Whether an item counts even under an unknown header, in a table with a column for sizes. Phones and anything
 * doubtful do.
 */
const countsAnywhere = (item: Item): boolean => {
  if (item.kind === 'fault') return item.isPhone || item.problem.code === 'several_times'
  return item.kind !== 'size' && item.kind !== 'unit' && item.kind !== 'amount'
}

/** Whether a row gives the same size twice, as in `5⇥5120` under `GB⇥MB`. */
const isSameAs = (first: Item | undefined, item: Item): boolean =>
  first?.kind === 'size' && item.kind === 'size' && isSameSize(first.size, item.size)
