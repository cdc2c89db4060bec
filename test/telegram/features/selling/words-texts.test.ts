import type { PriceRule, Shopfront } from '../../../../src/domain/selling/price-rule.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import type { Receipt } from '../../../../src/shop/receipt.ts'
import * as shopWords from '../../../../src/telegram/cards/words/shop.ts'
import * as receiptWords from '../../../../src/telegram/features/selling/receipt-words.ts'
import * as sellingWords from '../../../../src/telegram/features/selling/words.ts'
import { confirmed, now, phone } from '../../words/any-order.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const words = { ...shopWords, ...sellingWords }

const rulesOf = ({ money }: Values): (PriceRule | null)[] => [
  null,
  { kind: 'plus', pesewas: money, roundPesewas: pesewas(1) },
  { kind: 'percent', tenths: 125, roundPesewas: pesewas(50) },
]
const bundleOf = ({ text, money, count, flag }: Values): sellingWords.PricedBundle => ({
  network: text,
  name: '5GB',
  costPesewas: money,
  isOwn: flag,
  sellPesewas: count % 3 ? pesewas(2600) : null,
})
const roles = ['owner', 'agent', null] as const
const amountFaults = ['unreadable', 'comma', 'negative', 'fraction', 'huge'] as const
const frontOf = ({ text, flag }: Values): Shopfront => ({
  name: flag ? text : null,
  phone: flag ? phone : null,
  accent: flag ? 'green' : 'dark',
  letter: null,
})
const listOf = ({ money, count, ...each }: Values) => ({
  shop: frontOf({ money, count, ...each }),
  networks: [{ network: each.text, items: [{ name: '5GB', pricePesewas: money }] }],
  unpriced: count,
  hidden: count,
})
const soldOf = ({ order, flag }: Values) => ({ ...order, sellUnitPesewas: flag ? pesewas(2600) : null })
const takingsOf = ({ money, count, flag }: Values) => ({
  delivered: count,
  open: flag ? count : 0,
  salesPesewas: money,
  profitPesewas: money,
  hopedSalesPesewas: money,
  hopedProfitPesewas: money,
  unpriced: count,
})

const wording: Wording<typeof words> = {
  profitWords: ({ money }) => words.profitWords(money),
  orderSale: ({ flag }) =>
    roles.map((role) =>
      words.orderSale(
        {
          ...confirmed,
          placement: 'placed',
          sellUnitPesewas: pesewas(2600),
          status: flag ? 'delivered' : null,
        },
        role,
      ),
    ),
  listSale: (each) => roles.map((role) => words.listSale(takingsOf(each), role)),
  previewedSale: ({ money }) =>
    roles.map((role) =>
      words.previewedSale(
        [
          { costPesewas: money, sellPesewas: money },
          { costPesewas: money, sellPesewas: null },
        ],
        role,
      ),
    ),
  addLabel: ({ count }) => [
    words.addLabel({ kind: 'plus', value: count * 50 }),
    words.addLabel({ kind: 'percent', value: count * 5 }),
  ],
  roundLabel: ({ flag }) => [words.roundLabel(pesewas(1), flag), words.roundLabel(pesewas(50), flag)],
  pictureTitle: ({ text }) => [words.pictureTitle(text, 'Your day'), words.pictureTitle('⚡', 'Your day')],
  roundingLabel: () => [words.roundingLabel(pesewas(1)), words.roundingLabel(pesewas(50))],
  sellingLabel: (each) => words.sellingLabel(bundleOf(each)),
  receiptTogetherLabel: ({ count }) => words.receiptTogetherLabel(count),
  sellingMenu: (each) =>
    rulesOf(each).flatMap((rule) =>
      [true, false].map((isOwner) =>
        words.sellingMenu({
          shop: each.flag ? each.text : null,
          rule,
          tiers: each.count,
          own: each.count,
          isOwner,
          network: each.flag ? each.text : null,
          example: bundleOf(each),
        }),
      ),
    ),
  ruleScreen: (each) =>
    rulesOf(each).map((rule) =>
      words.ruleScreen({ rule, tiers: each.count, own: each.count, example: bundleOf(each) }),
    ),
  plainRule: (each) => rulesOf(each).flatMap((rule) => (rule ? [words.plainRule(rule)] : [])),
  ruleWords: (each) => rulesOf(each).map(words.ruleWords),
  example: (each) => [words.example(bundleOf(each)), words.example(null)],
  ruleFault: () => [...amountFaults, 'rounding' as const].map(words.ruleFault),
  ruleSaved: (each) => rulesOf(each).map(words.ruleSaved),
  notARule: () => [...amountFaults, 'rounding' as const].map(words.notARule),
  notAPrice: () => [...amountFaults, 'zero' as const].map(words.notAPrice),
  whichBundle: ({ text }) => words.whichBundle(text),
  bundlePrice: (each) => words.bundlePrice(bundleOf(each)),
  priceSaved: (each) => words.priceSaved(bundleOf(each)),
  priceListTexts: (each) => words.priceListTexts(listOf(each), now),
  priceListCaption: (each) => words.priceListCaption(listOf(each), now, 'status'),
  leftOut: ({ count, flag }) => words.leftOut(count, flag),
  nothingPriced: ({ flag }) => words.nothingPriced(flag),
  notAShopName: ({ text }) => [text, 'MTN', 'Official', 'x.com', '0241234567', 'Аma'].map(words.notAShopName),
  noShopName: ({ text }) => [text, 'MTN', 'Official', 'x.com', '0241234567', 'Аma'].map(words.noShopName),
  shopNamed: ({ text }) => words.shopNamed(text),
  askSoldFor: (each) => words.askSoldFor(soldOf(each), each.flag ? each.money : null),
  soldFor: (each) =>
    words.soldFor(soldOf(each), each.flag ? each.money : null, 'Sold for GHS 26.00 · profit GHS 2.50'),
}

testTexts(words, wording, {
  plain: [
    'plainRule',
    'addLabel',
    'roundLabel',
    'roundingLabel',
    'pictureTitle',
    'sellingLabel',
    'receiptTogetherLabel',
  ],
  others: ['priceListPicture', 'pictureHeading'],
})

const receiptsOf = ({ text, money, count, flag, ...each }: Values): Receipt[] =>
  (['good', 'open', 'bad'] as const).map((tone) => ({
    shop: frontOf({ text, money, count, flag, ...each }),
    at: now,
    network: text,
    volume: '5GB',
    whom: flag ? { phone } : { count: 2 + count },
    status: flag
      ? { kind: 'word', word: text, reported: true, tone }
      : { kind: 'counts', delivered: count, of: 2 + count, tone },
    deliveredAt: flag ? now : null,
    reference: flag ? 'BUD-API-AB12CD-123456' : null,
    pricePesewas: flag ? money : null,
  }))

const receiptWording: Wording<typeof receiptWords> = {
  receipt: (each) =>
    receiptsOf(each).map((made) =>
      receiptWords.receipt(made, {
        url: 'https://t.me/shop_bot?start=s1',
        name: each.flag ? each.text : null,
      }),
    ),
  receiptHint: ({ money, flag, count }) => receiptWords.receiptHint(count % 2 ? money : null, flag, !flag),
  whoseReceipt: ({ count }) => receiptWords.whoseReceipt('5GB', count + 2),
}

testTexts(receiptWords, receiptWording, { others: ['receiptPicture'] })
