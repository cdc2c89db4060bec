import { expect, test } from 'vitest'
import { givenAnswers } from '../../../src/domain/list-draft.ts'
import { readList } from '../../../src/lists/read-list.ts'
import { defaultPrefixes } from '../../../src/lists/read-phone.ts'
import { listOf } from '../../../src/orders/listing/new-list.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { catalogue } from '../../../src/sandbox/index.ts'

const bundles = catalogue.map(({ id, network, volume, offerSlug, prices }) => ({
  id,
  network,
  volume,
  offerSlug,
  status: 'active',
  pricePesewas: pesewas(prices.agent),
}))

const orderFor = (bundleId: number, ...lines: [phone: string, position: number][]) => {
  const bundle = bundles.find(({ id }) => id === bundleId)
  if (!bundle) throw new RangeError(`There is no bundle ${bundleId}.`)
  const isTwin = bundles.some(
    (other) => other !== bundle && other.volume === bundle.volume && other.network === bundle.network,
  )
  return {
    bundleId,
    network: bundle.network,
    volume: bundle.volume,
    offerSlug: isTwin ? bundle.offerSlug : null,
    recipients: lines.map(([phone, position]) => ({ phone: phone as Phone, position })),
  }
}

test('orders that are written out as a list are read back the same, without a question', () => {
  // 5GB of MTN has two offers, a number with a Telecel prefix is on MTN, and one number has the same bundle twice.
  const list = listOf([
    orderFor(8, ['0241234567', 0], ['0201234567', 3]),
    orderFor(23, ['0501234567', 1], ['0241234567', 2]),
    orderFor(8, ['0241234567', 4]),
  ])
  const priceSnapshot = { bundles, prefixes: defaultPrefixes, fixedBundleId: list.fixedBundleId }
  const reading = readList(list.text, priceSnapshot, list.answers.questions)
  expect(reading.questions).toEqual([])
  expect(givenAnswers(list.answers)).toEqual({})
  expect(reading.counts).toEqual({ ready: 5, fix: 0, ignored: 0 })
  expect(reading.recipients.map(({ phone, bundleId }) => `${phone} ${bundleId}`)).toEqual([
    '0241234567 8',
    '0501234567 23',
    '0241234567 23',
    '0201234567 8',
    '0241234567 8',
  ])
})
