import type { readList } from '../../../src/lists/read-list.ts'
import type { ListReading } from '../../../src/lists/reading-result.ts'

/** Keeps the reading of each text, because all processes of a run read the same lists again and again. */
export const rememberAll = (read: typeof readList): typeof readList => {
  const readings = new Map<string, ListReading>()
  return (text, priceSnapshot, answers) => {
    const terms = JSON.stringify([text, priceSnapshot, answers])
    const known = readings.get(terms)
    if (known) return known
    const reading = read(text, priceSnapshot, answers)
    readings.set(terms, reading)
    return reading
  }
}
