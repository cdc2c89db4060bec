import type { Answers, ListReading, PriceSnapshot } from '../../lists/reading-result.ts'

type Read = (text: string, priceSnapshot: PriceSnapshot, answers: Answers) => ListReading

/**
 * Wraps a function that reads lists so that its last result is kept. A list is read, shown and confirmed within
 * moments, and reading ten thousand lines takes a while. The result is used again only for the same text, prices and
 * answers, and while it is still in memory.
 */
export const rememberLast = (read: Read): Read => {
  let last: { text: string; terms: string; reading: WeakRef<ListReading> } | null = null
  return (text, priceSnapshot, answers) => {
    const terms = JSON.stringify([priceSnapshot, answers])
    const isSame = last?.text === text && last.terms === terms
    const known = isSame ? last?.reading.deref() : undefined
    if (known) return known
    const reading = read(text, priceSnapshot, answers)
    last = { text, terms, reading: new WeakRef(reading) }
    return reading
  }
}
