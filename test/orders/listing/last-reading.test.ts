import { expect, test } from 'vitest'
import type { ListReading, PriceSnapshot } from '../../../src/lists/reading-result.ts'
import { rememberLast } from '../../../src/orders/listing/last-reading.ts'

const priceSnapshot: PriceSnapshot = { bundles: [], prefixes: {}, fixedBundleId: null }

/** Counts how often a list is really read, not returned from memory. */
const counted = () => {
  const counts = { read: 0 }
  const read = rememberLast((): ListReading => {
    counts.read += 1
    return { lines: [], counts: { ready: 0, fix: 0, ignored: 0 }, recipients: [], questions: [], named: [] }
  })
  return { read, counts }
}

test('a list that is shown again without a change is not read again', () => {
  const { read, counts } = counted()
  const first = read('0241234567 5GB', priceSnapshot, {})
  expect(read('0241234567 5GB', { ...priceSnapshot }, {})).toBe(first)
  expect(counts.read).toBe(1)
})

test.each<[string, Parameters<ReturnType<typeof counted>['read']>]>([
  ['another text', ['0241234567 6GB', priceSnapshot, {}]],
  ['other prefixes', ['0241234567 5GB', { ...priceSnapshot, prefixes: { '024': ['Telecel'] } }, {}]],
  ['another bundle chosen in advance', ['0241234567 5GB', { ...priceSnapshot, fixedBundleId: 5 }, {}]],
  ['another answer', ['0241234567 5GB', priceSnapshot, { size: '5GB' }]],
])('a list that is shown again is read again if it comes with %s', (_, asked) => {
  const { read, counts } = counted()
  const first = read('0241234567 5GB', priceSnapshot, {})
  expect(read(...asked)).not.toBe(first)
  expect(counts.read).toBe(2)
})
