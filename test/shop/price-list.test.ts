import { describe, expect, test } from 'vitest'
import type { PriceRule, Shopfront } from '../../src/domain/selling/price-rule.ts'
import type { Bundle } from '../../src/provider/index.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { offerName } from '../../src/shop/offer-name.ts'
import { bundleNames, priceListOf } from '../../src/shop/price-list.ts'
import { aShop } from '../domain/a-shop.ts'

const bundle = (id: number, network: string, volume: string, price: number, offerSlug: string): Bundle => ({
  id,
  network,
  volume,
  pricePesewas: pesewas(price),
  offerSlug,
  status: null,
})

const bundles = [
  bundle(5, 'MTN', '10GB', 4390, 'mtn_data_bundle'),
  bundle(8, 'MTN', '5GB', 2545, 'mtn_express_bundle'),
  bundle(4, 'MTN', '5GB', 2350, 'mtn_data_bundle'),
  bundle(9, 'MTN', '100MB', 55, 'mtn_express_bundle'),
  bundle(63, 'BigTime', '5GB', 1845, 'at_bigtime_bundle'),
]
const plusTwo: PriceRule = { kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(1) }
const front: Shopfront = { name: 'Ama Data', phone: '0241234567' as Phone, accent: 'green', letter: 'D' }
const all = { network: null, hidden: new Set<number>() }

describe('a price list', () => {
  test('has each network’s sizes in ascending order, with selling prices and no costs', () => {
    const list = priceListOf({ ...aShop, ...front, rule: plusTwo }, bundles, all)
    expect(list).toEqual({
      shop: front,
      networks: [
        {
          network: 'MTN',
          items: [
            { name: '100MB', pricePesewas: 255 },
            { name: '5GB', pricePesewas: 2550 },
            { name: '5GB Express', pricePesewas: 2745 },
            { name: '10GB', pricePesewas: 4590 },
          ],
        },
        { network: 'BigTime', items: [{ name: '5GB', pricePesewas: 2045 }] },
      ],
      unpriced: 0,
      hidden: 0,
    })
  })

  test('leaves out bundles without a selling price, and counts them', () => {
    const own = new Map([[63, pesewas(2000)]])
    const list = priceListOf({ ...aShop, own }, bundles, all)
    expect(list.networks).toEqual([{ network: 'BigTime', items: [{ name: '5GB', pricePesewas: 2000 }] }])
    expect(list.unpriced).toBe(4)
  })

  test('leaves out the bundles that the shop hides, and counts them', () => {
    const hidden = new Set([8, 63, 999])
    const shop = { ...aShop, rule: plusTwo }
    const list = priceListOf(shop, bundles, { network: null, hidden })
    expect(list.networks.map(({ network, items }) => [network, items.map(({ name }) => name)])).toEqual([
      ['MTN', ['100MB', '5GB', '10GB']],
    ])
    expect(list).toMatchObject({ unpriced: 0, hidden: 2 })
    expect(priceListOf(shop, bundles, { network: 'MTN', hidden }).hidden).toBe(1)
    expect(priceListOf(aShop, bundles, { network: null, hidden }).unpriced).toBe(3)
  })

  test('may be limited to one network', () => {
    const list = priceListOf({ ...aShop, rule: plusTwo }, bundles, { ...all, network: 'BigTime' })
    expect(list.networks.map(({ network }) => network)).toEqual(['BigTime'])
    expect(priceListOf({ ...aShop, rule: plusTwo }, bundles, { ...all, network: 'No' }).networks).toEqual([])
  })
})

describe('bundles of the same size in a price list', () => {
  test('get their offers as additional names, or numbers if the offers have the same name', () => {
    const names = bundleNames([
      bundle(1, 'MTN', '5GB', 1, 'mtn_data_bundle'),
      bundle(2, 'MTN', '5GB', 2, 'mtn_express_bundle'),
      bundle(3, 'MTN', '5GB', 3, 'mtn_data_offer'),
      bundle(4, 'MTN', '6GB', 4, 'mtn_express_bundle'),
    ])
    expect([...names.values()]).toEqual(['5GB', '5GB Express', '5GB (2)', '6GB'])
  })

  test.each([
    ['MTN', 'mtn_data_bundle', ''],
    ['MTN', 'mtn_express_bundle', 'Express'],
    ['AirtelTigo', 'at_ishare_bundle', 'Ishare'],
    ['BigTime', 'at_bigtime_bundle', ''],
    ['MTN', null, ''],
    ['MTN', '_-_', ''],
    ['Constructor', 'constructor', ''],
    ['MTN', 'much_too_long_a_name_for_an_offer', 'Much Too Long A Name'],
  ])('of %s from the offer %j get the additional name %j', (network, slug, name) => {
    expect(offerName(network, slug)).toBe(name)
  })
})
