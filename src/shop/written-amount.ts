import { type Pesewas, pesewasFromGhs } from '../provider/money.ts'

export type AmountFault = 'unreadable' | 'comma' | 'negative' | 'fraction' | 'huge'

type WrittenAmount = { kind: 'amount'; pesewas: Pesewas } | { kind: 'refused'; fault: AmountFault }

/** The highest amount, GHS 100,000. More must be a typing error. */
export const maxPesewas = 10_000_000

/**
 * In UTF-16 units. Real amounts are short, but somebody could send a long text that keeps a regular expression busy for
 * hours.
 */
export const maxWrittenLength = 100

/** Digits with at most one decimal point. Anything else is refused, so that no amount is misread. */
const number = /^\d{1,9}(?:\.\d*)?$|^\.\d+$/

/** Reads an amount in GHS as people type it: `26`, `26.50`, `GHS 26.5`, `26 cedis`. */
export const readAmount = (text: string): WrittenAmount => {
  if (text.trim().length > maxWrittenLength) return refused('unreadable')
  const plain = text
    .trim()
    .replace(/^(?:gh[s¢₵]?|₵|¢)\s*/i, '')
    .replace(/\s*(?:gh[s¢₵]?|₵|cedis?)$/i, '')
  if (/^[-−–]\s*(?:gh[s¢₵]?\s*)?[\d.]/i.test(plain)) return refused('negative')
  if (/^\d+,\d+$/.test(plain)) return refused('comma')
  if (/^\d{10,}(?:\.\d*)?$/.test(plain)) return refused('huge')
  if (!number.test(plain)) return refused('unreadable')
  if (/\.\d\d0*[1-9]/.test(plain)) return refused('fraction')
  const pesewas = pesewasFromGhs(plain.startsWith('.') ? `0${plain}` : plain)
  if (pesewas === null) return refused('unreadable')
  return pesewas > maxPesewas ? refused('huge') : { kind: 'amount', pesewas }
}

const refused = (fault: AmountFault): WrittenAmount => ({ kind: 'refused', fault })
