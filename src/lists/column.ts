import type { Item } from './item.ts'
import { itemsOf } from './items.ts'
import type { Size } from './size.ts'
import { tokensOf } from './token.ts'
import { meaningOf, type Role } from './vocabulary.ts'

/** The columns that the head of a table gives to the rows below it. */
export interface Columns {
  delimiter: string
  roles: readonly Role[]
  /** The unit of sizes that are written without one. */
  unit: Size['unit'] | null
}

const delimiters = ['\t', ';', '|', ','] as const

/** Reads `Number⇥GB`; null if the line, in plain characters, is no head of a table. */
export const readColumns = (line: string): Columns | null => {
  if (line.length > maxHeadLength || /\d/.test(line)) return null
  const delimiter = delimiters.find((sign) => line.includes(sign))
  const cells = delimiter ? line.split(delimiter) : [line]
  const heads = cells.map(headOf)
  if (heads.some((head) => head === null)) return null
  const roles = heads.map((head) => head?.role ?? 'other')
  const unit = heads.find((head) => head?.unit)?.unit ?? null
  if (!delimiter)
    return unit && roles.includes('size') && hasPhoneWord(line) ? { delimiter: '', roles: [], unit } : null
  const isTable =
    roles.filter((role) => role === 'phone').length === 1 ||
    (roles.includes('index') && roles.includes('size'))
  return isTable ? { delimiter, roles: withPhone(roles), unit } : null
}

const maxHeadLength = 300

/** If no column is named a phone's, `No.` is the phone's. */
const withPhone = (roles: Role[]): Role[] =>
  roles.includes('phone') ? roles : roles.map((role) => (role === 'index' ? 'phone' : role))

const hasPhoneWord = (line: string): boolean =>
  tokensOf(line).some(({ text }) => {
    const meaning = meaningOf(text)
    return meaning?.as === 'label' && meaning.role === 'phone'
  })

/** The first role here decides: `Data price` is an amount, `Contact name` a name. */
const precedence = ['network', 'ignored', 'quantity', 'size', 'phone', 'index'] as const

/** The role of one head; null if a word in it never stands in a head. */
const headOf = (cell: string): { role: Role; unit: Size['unit'] | null } | null => {
  if (cell.trim() === '#') return { role: 'index', unit: null }
  const roles = new Set<Role>()
  let unit: Size['unit'] | null = null
  for (const { kind, text } of tokensOf(cell)) {
    if (kind === 'mark') continue
    const meaning = meaningOf(text)
    if (meaning?.as === 'unit') unit = meaning.unit
    else if (meaning?.as === 'label') roles.add(meaning.role)
    else if (meaning?.as === 'currency' || meaning?.as === 'total') roles.add('amount')
    else if (meaning?.as === 'people') roles.add('phone')
    else if (meaning?.as !== 'filler' && text.toLowerCase() !== 'status') return null
  }
  if (unit !== null) return { role: 'size', unit }
  if (roles.has('amount')) return { role: 'amount', unit }
  return { role: precedence.find((role) => roles.has(role)) ?? 'other', unit }
}

/** The things of a row, each read by its column; null if the row does not fit the head. */
export const itemsOfRow = (line: string, { delimiter, roles, unit }: Columns): Item[] | null => {
  if (delimiter === '') return itemsOf(line).map((item) => inUnit(item, unit))
  const cells = line.split(delimiter, roles.length + 1)
  if (cells.length < 2 || cells.length > roles.length) return null
  return cells.flatMap((cell, index) => itemsOfCell(cell, roles[index] ?? 'other', unit))
}

const itemsOfCell = (cell: string, role: Role, unit: Size['unit'] | null): Item[] => {
  if (role === 'ignored' || role === 'index') return []
  const items = itemsOf(cell)
  if (role === 'size') return items.map((item) => inUnit(item, unit))
  if (role === 'amount') return items.map(asAmount)
  if (role === 'quantity') return items.flatMap((item) => onceOnly(item))
  return items
}

const inUnit = (item: Item, unit: Size['unit'] | null): Item =>
  item.kind === 'size' && !item.hasUnit && unit
    ? { ...item, size: { amount: item.size.amount, unit }, hasUnit: true }
    : item

/** A column of prices needs no currency in its cells. */
const asAmount = (item: Item): Item =>
  item.kind === 'size' && !item.hasUnit
    ? {
        kind: 'amount',
        pesewas: Math.round(item.size.amount * 100) as Extract<Item, { kind: 'amount' }>['pesewas'],
        isBetween: false,
        written: item.written,
      }
    : item

const onceOnly = (item: Item): Item[] => {
  if (item.kind !== 'size') return [item]
  if (item.size.amount === 1 && !item.hasUnit) return []
  return [{ kind: 'fault', problem: { code: 'several_times', written: item.written }, isPhone: false }]
}
