import { linesOf, normalized } from '../../src/lists/reading/normalize.ts'
import type { ListReading, PriceSnapshot } from '../../src/lists/reading-result.ts'

/** Faults in a reading. There must be none for any text. */
export const faultsOf = (text: string, reading: ListReading, priceSnapshot: PriceSnapshot): string[] => [
  ...countFaults(text, reading),
  ...recipientFaults(reading, priceSnapshot),
  ...questionFaults(reading),
]

const countFaults = (text: string, { lines, counts }: ListReading): string[] => {
  const texts = linesOf(text)
  const faults = []
  if (counts.ready + counts.fix + counts.ignored !== texts.length) faults.push('lines are lost')
  if (lines.some((line, index) => line.text !== texts[index] || line.number !== index + 1))
    faults.push('lines differ')
  for (const verdict of ['ready', 'fix', 'ignored'] as const)
    if (lines.filter((line) => line.verdict === verdict).length !== counts[verdict])
      faults.push(`${verdict} is miscounted`)
  if (lines.some(({ verdict, problems }) => (verdict === 'fix') !== problems.length > 0))
    faults.push('a line is to fix without a reason, or has one and is not')
  return faults
}

const recipientFaults = ({ lines, recipients }: ListReading, { bundles }: PriceSnapshot): string[] => {
  const faults = []
  if (recipients.length !== lines.flatMap((line) => line.recipients).length)
    faults.push('recipients are lost')
  for (const { line, phone, bundleId, pricePesewas } of recipients) {
    const { text = '', verdict } = lines[line - 1] ?? {}
    if (verdict !== 'ready') faults.push(`${phone} is of a line that is not ready`)
    if (!normalized(text).replace(/\D/g, '').includes(phone.slice(1)))
      faults.push(`${phone} does not stand there`)
    if (!bundles.some(({ id, pricePesewas: price }) => id === bundleId && price === pricePesewas))
      faults.push(`${bundleId} is not sold`)
  }
  return faults
}

const questionFaults = ({ questions, lines }: ListReading): string[] =>
  questions.flatMap(({ key, lines: waiting, count, choices }) => {
    const faults = []
    if (choices.length === 0 || count === 0) faults.push(`${key} asks nothing`)
    if (waiting.some((number) => lines[number - 1]?.verdict !== 'fix'))
      faults.push(`${key} is not waited for`)
    return faults
  })
