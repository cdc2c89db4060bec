import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noAnswers, nothingShown, type Shown, select } from '../../src/domain/list-draft.ts'
import type { ListedBundle } from '../../src/lists/meaning/listed-bundle.ts'
import { readList } from '../../src/lists/read-list.ts'
import { defaultPrefixes } from '../../src/lists/read-phone.ts'
import { pesewas } from '../../src/provider/money.ts'

const cost = pesewas(2_350)
const bundle: ListedBundle = {
  id: 5,
  status: null,
  network: 'MTN',
  volume: '5GB',
  offerSlug: 'mtn_data_bundle',
  pricePesewas: null,
}
const read = (text: string, bundles: ListedBundle[]) =>
  readList(text, { bundles, prefixes: defaultPrefixes, fixedBundleId: null }, {})

/** The reading with all digits masked. */
const shape = (text: string) => JSON.stringify(read(text, [bundle])).replaceAll(/\d+(?:\.\d+)?/g, '#')

test('an amount in the list of a person who sees no prices is read the same even if it equals the cost', () => {
  const ways = ['5GB GHS ?', '5GB ?', '? 5GB', '5GB = ?', '5gb ghs? MTN'] as const
  fc.assert(
    fc.property(fc.constantFrom(...ways), fc.integer({ min: 1_101, max: 9_899 }), (way, other) => {
      const line = (amount: number) => `0241234567 ${way.replace('?', (amount / 100).toFixed(2))}`
      expect(shape(line(other))).toBe(shape(line(cost)))
    }),
  )
})

test('an amount next to a number in a list is compared with the price that the person sees', () => {
  const [recipient] = read('0241234567 5GB GHS 26', [{ ...bundle, pricePesewas: pesewas(2_600) }]).recipients
  expect(recipient).toMatchObject({ pricePesewas: 2_600, notes: [] })
})

test('a list does not say how many lines the balance covers if that would reveal a hidden price', () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, index) => `024123456${index} 5GB`).join('\n')
  const counted = (seen: ListedBundle, purse: Partial<Shown>, fits: boolean) => {
    const shown: Shown = { ...nothingShown, bundles: [{ ...bundle, pricePesewas: cost }], ...purse }
    const { send, cut, fitting, isShort } = select(read(list(3), [seen]), { ...noAnswers, fits }, shown)
    return { send: send.length, cut: cut.length, fitting, isShort }
  }
  const limit = { limitPesewas: pesewas(5_000), balancePesewas: pesewas(5_000) }
  const priced = { ...bundle, pricePesewas: pesewas(2_400) }
  const hidden = { send: 3, cut: 0, fitting: null, isShort: true }
  for (const fits of [false, true]) {
    expect(counted(bundle, { ...limit, seen: {} }, fits)).toEqual(hidden)
    expect(counted(priced, { ...limit, seen: { 5: pesewas(2_400) }, isLeftHidden: true }, fits)).toEqual(
      hidden,
    )
  }
  expect(counted(priced, { ...limit, seen: { 5: pesewas(2_400) } }, true)).toMatchObject({ send: 2, cut: 1 })
  expect(counted(priced, { ...limit, seen: { 5: pesewas(2_400) } }, false)).toMatchObject({ fitting: 2 })
})
