import type { PricelessOrder } from '../../../domain/order/order.ts'
import type { PriceRule, Shopfront } from '../../../domain/selling/price-rule.ts'
import { drawable } from '../../../pictures/drawable-text.ts'
import type { PriceListFormat } from '../../../pictures/price-list.ts'
import { formatGhs, minus, type Pesewas, pesewas } from '../../../provider/money.ts'
import type { Phone } from '../../../provider/phone.ts'
import { maxNameBytes } from '../../../settings/setting.ts'
import { letterOf } from '../../../shop/logo-letter.ts'
import type { PriceList } from '../../../shop/price-list.ts'
import type { AmountFault } from '../../../shop/written-amount.ts'
import type { RuleFault } from '../../../shop/written-rule.ts'
import { noShopName, profitWords, sellingLabels } from '../../cards/words/shop.ts'
import { foreignWord, oneLine, plainText } from '../../chat/screen.ts'
import { day } from '../../chat/time.ts'
import { whatsAppNumber, whatsAppUrl } from '../../chat/whatsapp.ts'
import { chosenLabel } from '../../words/labels.ts'
import { b, counted, grouped, joined, lines } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'

/** Texts about selling: prices, rules, price lists, and what an order was sold for. */

// An amount without its currency, for labels of buttons.
const plainGhs = (amount: Pesewas) => formatGhs(amount).replace('GHS ', '')

export const addLabel = (rule: Pick<PriceRule, 'kind'> & { value: number }) =>
  rule.kind === 'plus' ? `+${plainGhs(pesewas(rule.value))}` : `+${rule.value / 10}%`

/** A rule on a button: `+2.00`, `+10%`. */
export const plainRule = (rule: PriceRule) =>
  addLabel({ kind: rule.kind, value: rule.kind === 'plus' ? rule.pesewas : rule.tenths })

export const roundLabel = (pesewas: Pesewas, isChosen: boolean) =>
  chosenLabel(pesewas === 1 ? sellingLabels.noRounding : `Round to ${plainGhs(pesewas)}`, isChosen)

/** The label of the button that shows to what amount prices are rounded up. */
export const roundingLabel = (pesewas: Pesewas) => `Round: ${pesewas === 1 ? 'off' : plainGhs(pesewas)}`

/** `5GB · 23.50 → 26.00`, with a mark if the bundle has its own price, and a warning if that is below the cost. */
export const sellingLabel = ({ name, costPesewas, sellPesewas, isOwn }: PricedBundle) => {
  const sell = sellPesewas === null ? '–' : plainGhs(sellPesewas)
  const loss = sellPesewas !== null && sellPesewas < costPesewas ? ' ⚠️' : ''
  return `${oneLine(name, 24)} · ${plainGhs(costPesewas)} → ${sell}${isOwn ? ' 🏷' : ''}${loss}`
}

export const receiptTogetherLabel = (count: number) => `All ${grouped(count)} together`

/** A bundle with its cost and the shop's price. */
export interface PricedBundle {
  network: string
  /** The bundle's size, with the offer's name if several bundles have that size. */
  name: string
  costPesewas: Pesewas
  sellPesewas: Pesewas | null
  /** Whether the price is set for this bundle only. */
  isOwn: boolean
}

/** How a rule makes a selling price, in words. */
export const ruleWords = (rule: PriceRule | null): string => {
  if (rule === null) return 'none yet'
  const added = rule.kind === 'plus' ? formatGhs(rule.pesewas) : `${rule.tenths / 10}%`
  return `cost + ${added}${rule.roundPesewas > 1 ? `, rounded up to the next ${formatGhs(rule.roundPesewas)}` : ''}`
}

/** The price of an example bundle; null without a bundle or a price. */
export const example = (bundle: PricedBundle | null): string | null =>
  bundle === null || bundle.sellPesewas === null
    ? null
    : `For example, ${foreignWord(bundle.network)} ${foreignWord(bundle.name)} costs you ${formatGhs(bundle.costPesewas)}, and you sell it for ${b(formatGhs(bundle.sellPesewas))}.`

const ownPrices = (count: number): string | null =>
  count === 0 ? null : `Own price: ${counted(count, 'bundle', 'bundles')}`

const tierCount = (count: number): string | null =>
  count === 0 ? null : `By network or size: ${counted(count, 'rule', 'rules')}`

/** The pricing that a shop has set: its rule, and how many tiers and prices of single bundles. */
interface Settled {
  rule: PriceRule | null
  tiers: number
  own: number
}

export const sellingMenu = (
  options: Settled & {
    shop: string | null
    example: PricedBundle | null
    isOwner: boolean
    network: string | null
  },
) => {
  const { shop, rule, tiers, own, isOwner, network } = options
  const isSettled = rule !== null || tiers > 0 || own > 0
  const unsettled = isOwner
    ? 'You haven’t set your prices yet. Press <b>Set prices</b>, and you’ll see your profit and get a price list to post.'
    : 'The owner hasn’t set the selling prices yet.'
  return lines(
    `🏷 ${b('Selling prices')}${shop ? ` · ${foreignWord(shop)}` : ''}`,
    isSettled && isOwner ? `Rule: ${ruleWords(rule)}` : null,
    isSettled ? example(options.example) : unsettled,
    isSettled && isOwner ? tierCount(tiers) : null,
    isSettled && isOwner ? ownPrices(own) : null,
    '',
    isSettled
      ? `Post your ${network ? `${foreignWord(network)} ` : ''}price list as ${b('Pictures')} (for groups and Status) or as ${b('Text')}. Costs aren’t shown. For one network: <code>/prices MTN</code>.`
      : null,
  ).trim()
}

export const ruleScreen = (options: Settled & { example: PricedBundle | null }) =>
  lines(
    b('Set prices'),
    `Rule: ${b(ruleWords(options.rule))}`,
    example(options.example),
    tierCount(options.tiers),
    ownPrices(options.own),
    '',
    'How much do you want to add to the cost? Press a button, or send <code>+2</code>, <code>10%</code> or <code>+2 round 0.50</code>.',
  )

export const askRounding = `${b('Rounding')}\nHow should I round prices up? With 0.50, a price of 4.80 becomes 5.00.`

export const ruleSaved = (rule: PriceRule | null) =>
  rule === null
    ? '✅ Rule removed. Now only bundles with their own price, or a rule by network or size, have a selling price.'
    : savedForNew

/** Said after prices were saved: earlier orders keep theirs. */
export const savedForNew = '✅ Saved. This applies to new orders.'

export const undone = '↩️ Undone.'

export const notUndone = 'There’s been another change since then. Nothing was undone.'

export const ownersOnly = 'Only the owner can set prices.'

export const savedToast = 'Saved'

export const sameAsBefore = 'Already set.'

const amountFaults: Record<AmountFault, string> = {
  unreadable: 'I don’t see an amount in that',
  comma: 'Use a point for decimals, not a comma',
  negative: 'A price can’t be below zero',
  fraction: 'Use at most two decimals',
  huge: 'That’s too high',
}

/** Why a text is not a price rule: a sentence without its full stop. */
export const ruleFault = (fault: RuleFault): string => {
  if (fault === 'rounding') return 'Rounding must be between 0.01 and 10'
  return fault === 'negative'
    ? 'A rule can’t go below cost. To sell a bundle at a loss, give it its own price'
    : amountFaults[fault]
}

export const notARule = (fault: RuleFault) =>
  `${ruleFault(fault)}. Nothing was changed. Send <code>+2</code>, <code>10%</code> or <code>+2 round 0.50</code>, or /cancel.`

export const notAPrice = (fault: AmountFault | 'zero') =>
  `${fault === 'zero' ? 'A price must be more than zero' : amountFaults[fault]}. Nothing was changed. Send a price like <code>26</code> or <code>26.50</code>, or /cancel.`

export const whichNetwork = `${b('Price of one bundle')}\nWhich network?`

export const whichBundle = (network: string) =>
  `${b(foreignWord(network))}: your cost → your price\nPress a bundle to change its price.\n🏷 Own price, ⚠️ sold at a loss`

const priceLine = ({ costPesewas, sellPesewas, isOwn }: PricedBundle): string =>
  sellPesewas === null
    ? 'No selling price yet.'
    : `Selling price: ${b(formatGhs(sellPesewas))} (${isOwn ? 'set for this bundle' : 'by your rule'}) · ${profitWords(minus(sellPesewas, costPesewas))}`

/** The price in the example: the bundle's own, or a tenth above its cost, rounded up to 0.10. */
const exampleOf = ({ costPesewas, sellPesewas }: PricedBundle): Pesewas =>
  sellPesewas ?? pesewas(Math.ceil((costPesewas * 1.1) / 10) * 10)

export const bundlePrice = (bundle: PricedBundle) =>
  lines(
    b(`${foreignWord(bundle.network)} ${foreignWord(bundle.name)}`),
    `Cost: ${formatGhs(bundle.costPesewas)}`,
    priceLine(bundle),
    '',
    `Send your price, like <code>${plainGhs(exampleOf(bundle))}</code>.`,
  )

export const priceSaved = (bundle: PricedBundle) =>
  lines(
    `✅ ${b(`${foreignWord(bundle.network)} ${foreignWord(bundle.name)}`)}`,
    `Cost: ${formatGhs(bundle.costPesewas)}`,
    priceLine(bundle),
    lossWarning(bundle.costPesewas, bundle.sellPesewas),
  )

const lossWarning = (cost: Pesewas, sell: Pesewas | null): string | null =>
  sell !== null && sell < cost ? '⚠️ That’s below cost.' : null

/** Said instead of `priceSaved` if the price list could not be read. */
export const priceSavedUnseen = savedForNew

// ── Price list ─────────────────────────────────────────────────────────────────────────────────────────────────
/** The heading used for a shop without a name. */
export const namelessShop = 'Mobile data'

/** How many bundles of one network a list in words names. */
const maxItems = 60

/** The price list in words, without costs: one message, or one for each network if it is too long. */
export const priceListTexts = ({ shop, networks }: PriceList, now: Date): string[] => {
  const head = joined(
    '\n',
    b(shop.name ? foreignWord(shop.name) : namelessShop),
    `Data prices · ${day(now)}`,
    shop.phone && contactOf(shop.phone),
  )
  const blocks = networks.map(({ network, items }) =>
    [
      b(foreignWord(network)),
      ...items
        .slice(0, maxItems)
        .map(({ name, pricePesewas }) => `${foreignWord(name)} – ${formatGhs(pricePesewas)}`),
    ].join('\n'),
  )
  const whole = [head, ...blocks].join('\n\n')
  return plainText(whole).length <= maxCharacters ? [whole] : blocks.map((block) => `${head}\n\n${block}`)
}

/** A little less than Telegram's limit for a message. */
const maxCharacters = 4_000

const contactOf = (phone: Phone): string => `Call or message ${phone}`

/** The title of a picture: the shop's name, or `other` if it has none or one of emoji, which cannot be drawn. */
export const pictureTitle = (name: string | null, other: string) => oneLine(drawable(name ?? '') || other)

/** The heading of a shop's pictures. */
export const pictureHeading = (shop: Shopfront) => ({
  title: pictureTitle(shop.name, namelessShop),
  accent: shop.accent,
  letter: letterOf(shop),
})

/** @param link the link to the bot, for the QR code of a shop without a number. */
export const priceListPicture = ({ shop, networks }: PriceList, now: Date, link: string) => ({
  ...pictureHeading(shop),
  subtitle: `All prices in GH₵ · ${day(now)}`,
  networks: networks.map(({ network, items }) => ({
    network: oneLine(network),
    items: items.map((item) => ({ ...item, name: oneLine(item.name) })),
  })),
  note: 'To order, send a number and a size',
  contact: shop.phone && contactOf(shop.phone),
  code: shop.phone
    ? {
        url: whatsAppUrl(shop.phone, 'I want '),
        note: `Scan, or wa.me/${whatsAppNumber(shop.phone)}`,
      }
    : { url: link, note: 'Scan to check your order' },
})

export const priceListCaption = ({ shop }: PriceList, now: Date, format: PriceListFormat) =>
  `${b(shop.name ? foreignWord(shop.name) : namelessShop)} · data prices, ${day(now)} · ${format === 'post' ? 'for groups' : 'for Status'}`

/** Said after the pictures if some could not be made. Those that were sent are complete; see `Album`. */
export const pictureMissing = 'I couldn’t make all the pictures. Press <b>Pictures</b> to try again.'

export const leftOut = (unpriced: number, isOwner: boolean) =>
  `${unpriced === 1 ? '1 bundle isn’t on the list: it has' : `${unpriced} bundles aren’t on the list: they have`} no selling price.${isOwner ? ` To set a rule for all bundles, press ${b(sellingLabels.setPrices)}.` : ''}`

export const nothingPriced = (isOwner: boolean) =>
  isOwner
    ? 'There’s nothing to list yet. Set your prices first: you can add the same amount to every bundle’s cost.'
    : 'There’s nothing to list yet. The owner hasn’t set the selling prices.'

export const askShopName = `${b('What is your shop called?')}\nThe name goes on your price lists and receipts. Send a name, like <code>Ama Data</code>, or skip this.`

export const notAShopName = (typed: string) =>
  `${noShopName(typed)} Send a name of up to ${maxNameBytes} letters, like <code>Ama Data</code>, or /cancel.`

export const shopNamed = (name: string) =>
  `✅ Your shop is called ${b(foreignWord(name))}. To change the name: /prices, then ${sellingLabels.shop}.`

/** @param cost the cost per number; null for people who do not see it. */
export const askSoldFor = (order: PricelessOrder, cost: Pesewas | null) =>
  lines(
    `${b(`${foreignWord(order.network)} ${foreignWord(order.volume)}`)} for ${whomOf(order)}`,
    order.sellUnitPesewas === null
      ? 'No selling price yet.'
      : `Selling price: ${formatGhs(order.sellUnitPesewas)}${eachOf(order)}`,
    cost === null ? null : `Cost: ${formatGhs(cost)}${eachOf(order)}`,
    '',
    `What did you sell ${order.quantity > 1 ? 'each one' : 'it'} for? Send the price, like <code>26</code>. Only this order changes.`,
  )

/** @param sale the price and profit, in words. They already say the price of a single number. */
export const soldFor = (order: PricelessOrder, cost: Pesewas | null, sale: string | null) =>
  lines(
    `✅ ${foreignWord(order.network)} ${foreignWord(order.volume)} for ${whomOf(order)}${sale === null || order.quantity > 1 ? `: ${soldWords(order)}` : ''}`,
    sale,
    cost === null ? null : lossWarning(cost, order.sellUnitPesewas),
  )

const soldWords = (order: PricelessOrder): string =>
  order.sellUnitPesewas === null ? 'no selling price' : b(formatGhs(order.sellUnitPesewas)) + eachOf(order)

const eachOf = ({ quantity }: PricelessOrder) => (quantity > 1 ? ' each' : '')

const whomOf = ({ recipients }: PricelessOrder) =>
  recipients.length === 1 ? phoneText(recipients[0]?.phone ?? '') : `${grouped(recipients.length)} numbers`
