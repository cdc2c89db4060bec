import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Order } from '../../../../src/domain/order/order.ts'
import { placements } from '../../../../src/domain/order/placement.ts'
import type { PriceRule, Shopfront } from '../../../../src/domain/selling/price-rule.ts'
import { priceListPictures } from '../../../../src/pictures/price-list.ts'
import { receiptPicture } from '../../../../src/pictures/receipt.ts'
import { accentNames } from '../../../../src/pictures/theme.ts'
import { orderStatuses } from '../../../../src/provider/index.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import type { Phone } from '../../../../src/provider/phone.ts'
import { parseHtml } from '../../../../src/sandbox/index.ts'
import type { PriceList } from '../../../../src/shop/price-list.ts'
import { totalTakings } from '../../../../src/shop/profit.ts'
import { receiptOf } from '../../../../src/shop/receipt.ts'
import type { AmountFault } from '../../../../src/shop/written-amount.ts'
import * as shopWords from '../../../../src/telegram/cards/words/shop.ts'
import * as receiptTexts from '../../../../src/telegram/features/selling/receipt-words.ts'
import * as words from '../../../../src/telegram/features/selling/words.ts'
import { aShop } from '../../../domain/a-shop.ts'
import { now, recipientsOf } from '../../words/any-order.ts'
import { expectLabel, hostile, readAsTelegram } from '../../words/outside.ts'

const amount = fc.nat(10 ** 9).map(pesewas)
const role = fc.constantFrom('owner' as const, 'agent' as const, null)
const round = fc.constantFrom(1, 10, 50, 100).map(pesewas)
const rule: fc.Arbitrary<PriceRule | null> = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('plus' as const), pesewas: amount, roundPesewas: round }),
  fc.record({ kind: fc.constant('percent' as const), tenths: fc.nat(9_000), roundPesewas: round }),
)
const bundle = fc.record({
  network: hostile,
  name: hostile,
  costPesewas: amount,
  sellPesewas: fc.option(amount),
  isOwn: fc.boolean(),
})
const time = fc.option(fc.constant(now))

/** A cost unlike any other amount in these tests. */
const cost = pesewas(1_234_567)

const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    network: hostile,
    volume: hostile,
    offerSlug: fc.option(hostile),
    reference: fc.option(hostile),
    status: fc.option(fc.oneof(fc.constantFrom(...orderStatuses), hostile)),
    statusReported: fc.boolean(),
    placement: fc.constantFrom(...placements),
    quantity: fc.integer({ min: 1, max: 100 }),
    acceptedQuantity: fc.option(fc.integer({ min: 1, max: 100 })),
    sellUnitPesewas: fc.option(fc.integer({ min: 1, max: 9_999 }).map(pesewas)),
    chargedPesewas: fc.option(fc.constant(cost)),
    placedAt: time,
    deliveredAt: time,
  })
  .map(
    (fields) =>
      ({
        ...fields,
        id: 'o',
        kind: fields.quantity > 1 ? 'bulk' : 'single',
        unitPricePesewas: cost,
        refundedPesewas: null,
        createdAt: now,
        recipients: recipientsOf(fields.quantity).map((each, position) => ({
          ...each,
          phone: `02498701${String(position).padStart(2, '0')}` as Phone,
        })),
      }) as unknown as Order,
  )

const anyFront: fc.Arbitrary<Shopfront> = fc.record({
  name: fc.option(hostile),
  phone: fc.constantFrom('0209876543' as Phone, null),
  accent: fc.constantFrom(...accentNames),
  letter: fc.option(hostile),
})

const anyList: fc.Arbitrary<PriceList> = fc.record({
  shop: anyFront,
  networks: fc.array(
    fc.record({
      network: hostile,
      items: fc.array(fc.record({ name: hostile, pricePesewas: amount }), { maxLength: 80 }),
    }),
    { maxLength: 6 },
  ),
  unpriced: fc.nat(50),
  hidden: fc.nat(50),
})

const anyReceipt = fc
  .tuple(anyOrder, anyFront, fc.constantFrom<number | 'all'>(0, 'all'))
  .map(([order, shop, position]) => ({ order, receipt: receiptOf(order, shop, position) }))

const faults: AmountFault[] = ['unreadable', 'comma', 'negative', 'fraction', 'huge']

const wordings: Record<string, fc.Arbitrary<string>> = {
  orderSale: fc.tuple(anyOrder, role).map(([order, who]) => shopWords.orderSale(order, who) ?? '-'),
  listSale: fc
    .tuple(fc.array(anyOrder, { maxLength: 3 }), role)
    .map(([orders, who]) => shopWords.listSale(totalTakings(orders), who) ?? '-'),
  previewedSale: fc
    .tuple(fc.array(fc.record({ costPesewas: amount, sellPesewas: fc.option(amount) })), role)
    .map(([prices, who]) => shopWords.previewedSale(prices, who) ?? '-'),
  sellingMenu: fc
    .record({
      shop: fc.option(hostile),
      rule,
      tiers: fc.nat(3),
      own: fc.nat(3),
      example: fc.option(bundle),
      isOwner: fc.boolean(),
      network: fc.option(hostile),
    })
    .map(words.sellingMenu),
  ruleScreen: fc
    .record({ rule, tiers: fc.nat(3), own: fc.nat(3), example: fc.option(bundle) })
    .map(words.ruleScreen),
  ruleSaved: rule.map(words.ruleSaved),
  notARule: fc.constantFrom(...faults, 'rounding' as const).map(words.notARule),
  notAPrice: fc.constantFrom(...faults, 'zero' as const).map(words.notAPrice),
  whichBundle: hostile.map(words.whichBundle),
  bundlePrice: bundle.map(words.bundlePrice),
  priceSaved: bundle.map(words.priceSaved),
  priceListCaption: anyList.map((list) => words.priceListCaption(list, now, 'post')),
  leftOut: fc.tuple(fc.nat(5), fc.boolean()).map(([count, isOwner]) => words.leftOut(count, isOwner)),
  nothingPriced: fc.boolean().map(words.nothingPriced),
  shopNamed: hostile.map(words.shopNamed),
  askShopName: fc.constant(words.askShopName),
  notAShopName: hostile.map(words.notAShopName),
  receiptHint: fc
    .tuple(fc.option(amount), fc.boolean(), fc.boolean())
    .map(([sell, isEach, isOwner]) => receiptTexts.receiptHint(sell, isEach, isOwner)),
  askSoldFor: fc.tuple(anyOrder, fc.option(amount)).map(([order, cost]) => words.askSoldFor(order, cost)),
  soldFor: fc
    .tuple(anyOrder, fc.option(amount), role)
    .map(([order, cost, who]) => words.soldFor(order, cost, shopWords.orderSale(order, who))),
}

describe('every text about selling', () => {
  test.each(Object.entries(wordings))(
    'is valid for Telegram and short, whatever values it contains: “%s”',
    (_, texts) => {
      fc.assert(
        fc.property(texts, (text) => {
          readAsTelegram(text, 'text', 1_000)
        }),
      )
    },
  )

  test('fits its button if it is a label', () => {
    fc.assert(
      fc.property(bundle, (each) => {
        expectLabel(words.sellingLabel(each))
      }),
    )
  })
})

test('a price list as text fits in messages and contains every price', () => {
  fc.assert(
    fc.property(anyList, (list) => {
      const texts = words.priceListTexts(list, now)
      for (const text of texts) {
        expect(parseHtml(text).text.length).toBeLessThanOrEqual(4_096)
        expect(text).toContain('21 Nov 2026')
      }
      const prices = list.networks.flatMap(({ items }) => items.slice(0, 60)).length
      expect(texts.join('\n').match(/ – GHS /g)?.length ?? 0).toBe(prices)
    }),
  )
})

test('a receipt never shows the customer what the order cost, neither in words nor in the picture', () => {
  fc.assert(
    fc.property(anyReceipt, ({ receipt, order }) => {
      if (!receipt) {
        expect(order.placement).not.toBe('placed')
        return
      }
      const text = receiptTexts.receipt(receipt)
      const picture = receiptPicture(receiptTexts.receiptPicture(receipt))
      const shown = parseHtml(text).text
      expect(shown.length).toBeLessThanOrEqual(1_024)
      for (const source of [shown, picture]) {
        expect(source).not.toMatch(/12,?345[.]67|1234567|cost|profit|wallet|balance|undefined|NaN/i)
      }
    }),
  )
})

test('the picture of a price list shows the selling prices and not the costs', () => {
  const list = {
    shop: { ...aShop, name: 'Ama Data', phone: '0241234567' as Phone },
    networks: [{ network: 'MTN', items: [{ name: '5GB Express', pricePesewas: pesewas(2600) }] }],
    unpriced: 0,
    hidden: 0,
  }
  const [picture = ''] = priceListPictures(words.priceListPicture(list, now, 'https://t.me/shop_bot'))
  for (const word of [
    'Ama Data',
    'MTN',
    '5GB',
    '26.00',
    'GH₵',
    '21 Nov 2026',
    'wa.me/233241234567',
    '0241234567',
  ])
    expect(picture).toContain(word)
  expect(picture).not.toContain('23.50')
})

describe('the line about an order’s selling price', () => {
  const order = {
    placement: 'placed',
    kind: 'single',
    status: 'delivered',
    quantity: 1,
    acceptedQuantity: null,
    unitPricePesewas: pesewas(2350),
    sellUnitPesewas: pesewas(2600),
    chargedPesewas: pesewas(2350),
    recipients: [{ phone: '0241234567' as Phone, position: 0, status: null, reported: false }],
  } as unknown as Order

  test.each([
    ['owner', 'delivered', 'Sold for GHS 26.00 · profit GHS 2.50'],
    ['owner', 'processing', 'You sell for GHS 26.00 · profit GHS 2.50 when delivered'],
    ['owner', 'failed', undefined],
    ['agent', 'delivered', 'Sold for GHS 26.00'],
    ['agent', 'processing', 'You sell for GHS 26.00'],
    [null, 'delivered', undefined],
  ] as const)('for the role “%s” at the status “%s” is: %s', (who, status, text) => {
    const sale = shopWords.orderSale({ ...order, status }, who)
    expect(sale === null ? undefined : parseHtml(sale).text).toBe(text)
  })
})
