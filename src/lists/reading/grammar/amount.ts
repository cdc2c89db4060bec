import { type Pesewas, pesewasFromGhs } from '../../../provider/money.ts'
import type { Item } from './item.ts'
import { isGlued, type Token } from './token.ts'
import { type Meaning, meaningOf } from './vocabulary.ts'
import { phoneAt, type TokenLine } from './written-phone.ts'

/** Whether the token means cedis, as a word or a sign. */
export const isCurrency = (token: Token | undefined, meaning: Meaning | null): boolean =>
  meaning?.as === 'currency' || token?.text === '₵' || token?.text === '¢'

/** Whether the currency at the index is written before its number, not after it. */
export const opensAmount = (line: TokenLine, at: number, meaning: Meaning | null): boolean => {
  if (isGlued(line.tokens, at) && !isGlued(line.tokens, at + 1)) return false
  return (meaning?.as !== 'currency' || meaning.before) && amountAfter(line, at) !== null
}

/** `GHS 1,234.50`, `₵25`, `GH₵ 25`: the amount after the currency at the index. */
const amountAfter = (line: TokenLine, at: number): { text: string; next: number } | null => {
  const { tokens } = line
  let index = at + 1
  while (index < at + 3 && ('₵¢.:'.includes(tokens[index]?.text ?? ' ') || isCedi(tokens[index]))) index += 1
  if (tokens[index]?.kind !== 'digits') return null
  let whole = tokens[index]?.text ?? ''
  if (whole.length > 6 || phoneAt(line, index)) return null
  while (tokens[index + 1]?.text === ',' && isThousands(tokens, index + 2)) {
    whole += tokens[index + 2]?.text
    index += 2
  }
  const hasCents =
    tokens[index + 1]?.text === '.' && tokens[index + 2]?.kind === 'digits' && isGlued(tokens, index + 2)
  const next = hasCents ? index + 3 : index + 1
  const unit = tokens[next]?.kind === 'word' ? meaningOf(tokens[next]?.text ?? '') : null
  if (unit?.as === 'unit' || whole.length > 12) return null
  return { text: hasCents ? `${whole}.${tokens[index + 2]?.text.slice(0, 4)}` : whole, next }
}

const isCedi = (token: Token | undefined): boolean =>
  token?.kind === 'word' && /^(?:cedis?|c)$/i.test(token.text)

const isThousands = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.kind === 'digits' &&
  tokens[at]?.text.length === 3 &&
  isGlued(tokens, at) &&
  isGlued(tokens, at - 1)

/**
 * The amount in a text as an item; a fault if the text is not an amount.
 * @param isBetween see `Item`
 */
export const amountItem = (text: string, isBetween: boolean): Item => {
  const pesewas = pesewasFromGhs(text)
  return pesewas === null
    ? { kind: 'fault', problem: { code: 'unclear', written: text }, isPhone: false }
    : { kind: 'amount', pesewas, isBetween, written: text }
}

/** Adds the amount after the currency at the index to the items. Returns the index of the next token. */
export const currencyAt = (line: TokenLine, at: number, meaning: Meaning | null, items: Item[]): number => {
  const amount = meaning?.as === 'currency' && !meaning.before ? null : amountAfter(line, at)
  if (!amount) return at + 1
  const last = items.at(-1)
  items.push(amountItem(amount.text, last?.kind === 'size' && !last.hasUnit && !isGlued(line.tokens, at + 1)))
  return amount.next
}

/**
 * The amount in a cell of a money column: `23,50`, `1,045.00`, `1.045,00`, `GHS 23.5`. The last comma or point
 * counts as the decimal separator if one or two digits follow it.
 * @returns null if there is no amount, or several numbers
 */
export const moneyIn = (cell: string): Pesewas | null => {
  const [figures, another] = cell.slice(0, 60).match(/\d[\d.,]*/g) ?? []
  if (figures === undefined || another !== undefined) return null
  if (/^\d+\.\d+$/.test(figures)) return pesewasFromGhs(figures)
  const [, whole = figures, cents = ''] = /^(.*)[.,](\d{1,2})$/.exec(figures) ?? []
  return pesewasFromGhs(`${whole.replace(/[.,]/g, '')}.${cents}`)
}
