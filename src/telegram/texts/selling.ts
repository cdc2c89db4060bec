import type { Order, PricelessOrder } from '../../orders/order.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { visible } from '../../shop/customer-name.ts'
import type { PriceList } from '../../shop/price-list.ts'
import { profitOf, type TakingsTotal, takingsOf, totalTakings } from '../../shop/profit.ts'
import type { Receipt, ReceiptStatus } from '../../shop/receipt.ts'
import type { PriceRule } from '../../shop/selling.ts'
import { shopNameFault } from '../../shop/shop-name.ts'
import type { AmountFault } from '../../shop/written-amount.ts'
import type { RuleFault } from '../../shop/written-rule.ts'
import { phoneText } from '../phone-text.ts'
import { escapeHtml, foreignWord, oneLine, plainText } from '../screen.ts'
import { clock, day, when } from '../time.ts'
import type { MemberRole } from '../viewer.ts'
import { b, joined, lines } from './markup.ts'
import { numberOr } from './removed.ts'

/** The words of selling: part of the catalogue. */

/** `profit GHS 2.50`, `loss GHS 1.00` */
const profitWords = (profit: Pesewas): string =>
  profit < 0 ? `loss ${formatGhs(-profit as Pesewas)}` : `profit ${formatGhs(profit)}`

// ── On cards ───────────────────────────────────────────────────────────────────────────────────────────────────

interface Sale {
  salesPesewas: Pesewas
  /** Null where it is not known. */
  profitPesewas: Pesewas | null
  /** Something of it is still to be delivered. */
  isOpen: boolean
}

/** What it is sold for; what it earns is for owners alone. */
const saleWords = ({ salesPesewas, profitPesewas, isOpen }: Sale, role: MemberRole | null): string =>
  joined(
    ' · ',
    `${isOpen ? 'You sell for' : 'Sold for'} ${formatGhs(salesPesewas)}`,
    role === 'owner' && profitPesewas !== null
      ? `${b(profitWords(profitPesewas))}${isOpen ? ' when delivered' : ''}`
      : null,
  )

/** On the card of an order. */
export const orderSale = (order: Order, role: MemberRole | null): string | null => {
  const { delivered, open, salesPesewas } = takingsOf(order)
  if (role === null || salesPesewas === null || delivered + open === 0) return null
  return open > 0
    ? saleWords({ ...hopedOf(totalTakings([order])), isOpen: true }, role)
    : saleWords({ salesPesewas, profitPesewas: profitOf(order), isOpen: false }, role)
}

const hopedOf = ({ hopedSalesPesewas, hopedProfitPesewas }: TakingsTotal) => ({
  salesPesewas: hopedSalesPesewas,
  profitPesewas: hopedProfitPesewas,
})

/** On the card of a list and in its closing message; nothing where none of it has a selling price. */
export const listSale = (total: TakingsTotal, role: MemberRole | null): string | null => {
  const { delivered, open } = total
  if (role === null || delivered + open === 0) return null
  const money = open > 0 ? hopedOf(total) : total
  const left =
    total.unpriced === 0
      ? ''
      : ` (${total.unpriced === 1 ? '1 order has' : `${total.unpriced} orders have`} no selling price)`
  return saleWords({ ...money, isOpen: open > 0 }, role) + left
}

/** In the preview of a list. */
export const previewedSale = (
  prices: readonly { costPesewas: Pesewas; sellPesewas: Pesewas | null }[],
  role: MemberRole | null,
): string | null => {
  const priced = prices.filter(({ sellPesewas }) => sellPesewas !== null)
  if (role === null || priced.length === 0) return null
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const sales = sum(priced.map(({ sellPesewas }) => sellPesewas ?? 0))
  const cost = sum(priced.map(({ costPesewas }) => costPesewas))
  const words = saleWords(
    { salesPesewas: sales as Pesewas, profitPesewas: (sales - cost) as Pesewas, isOpen: true },
    role,
  )
  const left = prices.length - priced.length
  return left > 0 ? `${words} (${left} without a selling price)` : words
}

// ── Prices ─────────────────────────────────────────────────────────────────────────────────────────────────────

export const sellingLabels = {
  picture: '🖼 Picture',
  text: '📝 Text',
  setPrices: '✏️ Set prices',
  shopName: '🏪 Shop name',
  all: 'All',
  onePrice: '🏷 Price of one bundle',
  noRule: '🗑 No rule',
  byRule: '↩️ Use the rule',
  noRounding: 'No rounding',
  undo: '↩️ Undo',
  receipt: '🧾 Receipt',
  otherPrice: '🏷 Other price',
  setPrice: '🏷 Set its price',
  skip: 'Skip ›',
} as const

// Labels of buttons are plain text.
const plainGhs = (amount: Pesewas) => formatGhs(amount).replace('GHS ', '')
export const addLabel = (rule: Pick<PriceRule, 'kind'> & { value: number }) =>
  rule.kind === 'plus' ? `+${plainGhs(rule.value as Pesewas)}` : `+${rule.value / 10}%`
export const roundLabel = (pesewas: Pesewas, isChosen: boolean) =>
  chosenLabel(pesewas === 1 ? sellingLabels.noRounding : `Round to ${plainGhs(pesewas)}`, isChosen)
export const chosenLabel = (label: string, isChosen: boolean) => `${isChosen ? '✓ ' : ''}${oneLine(label)}`
/** `5GB · 23.50 → 26.00`, with a mark where the price is its own and a warning below cost. */
export const sellingLabel = ({ name, costPesewas, sellPesewas, isOwn }: PricedBundle) => {
  const sell = sellPesewas === null ? '–' : plainGhs(sellPesewas)
  const loss = sellPesewas !== null && sellPesewas < costPesewas ? ' ⚠️' : ''
  return `${oneLine(name, 24)} · ${plainGhs(costPesewas)} → ${sell}${isOwn ? ' 🏷' : ''}${loss}`
}
export const receiptForLabel = (phone: string) => oneLine(numberOr(phone))
export const receiptTogetherLabel = (count: number) => `All ${count} together`

/** A bundle with what it costs and what the shop asks. */
export interface PricedBundle {
  network: string
  /** Its size, with its offer where that is needed to tell it from others. */
  name: string
  costPesewas: Pesewas
  sellPesewas: Pesewas | null
  /** The price is settled for this bundle alone. */
  isOwn: boolean
}

const ruleWords = (rule: PriceRule | null): string => {
  if (rule === null) return 'none yet'
  const added = rule.kind === 'plus' ? formatGhs(rule.pesewas) : `${rule.tenths / 10}%`
  return `what it costs + ${added}${rule.roundPesewas > 1 ? `, rounded up to ${formatGhs(rule.roundPesewas)}` : ''}`
}

const example = (bundle: PricedBundle | null): string | null =>
  bundle === null || bundle.sellPesewas === null
    ? null
    : `For example ${foreignWord(bundle.network)} ${foreignWord(bundle.name)}: costs ${formatGhs(bundle.costPesewas)}, you sell for ${b(formatGhs(bundle.sellPesewas))}.`

const ownPrices = (count: number): string | null =>
  count === 0
    ? null
    : `${count === 1 ? '1 bundle has a price' : `${count} bundles have prices`} of ${count === 1 ? 'its' : 'their'} own.`

export const sellingMenu = (options: {
  shop: string | null
  rule: PriceRule | null
  own: number
  example: PricedBundle | null
  isOwner: boolean
  network: string | null
}) => {
  const { shop, rule, own, isOwner, network } = options
  const isSettled = rule !== null || own > 0
  const unsettled = isOwner
    ? 'You have not set your prices yet. Press Set prices: then each order shows what you earn, and you get a price list to post.'
    : 'The owner of the account has not set the selling prices yet.'
  return lines(
    `🏷 ${b('Selling prices')}${shop ? ` · ${foreignWord(shop)}` : ''}`,
    isSettled && isOwner ? `Rule: ${ruleWords(rule)}` : null,
    isSettled ? example(options.example) : unsettled,
    isSettled && isOwner ? ownPrices(own) : null,
    '',
    isSettled
      ? `${b('Picture')} and ${b('Text')} make a price list to post or forward${network ? `, of ${foreignWord(network)} alone` : ''}. What you pay is not on it.`
      : null,
  ).trim()
}

export const ruleScreen = (options: { rule: PriceRule | null; own: number; example: PricedBundle | null }) =>
  lines(
    b('Set prices'),
    `Rule: ${b(ruleWords(options.rule))}`,
    example(options.example),
    ownPrices(options.own),
    '',
    'What do you add to what a bundle costs you? Press, or send it: <code>+2</code>, <code>10%</code> or <code>+2 round 0.50</code>.',
  )

export const ruleSaved = (rule: PriceRule | null) =>
  rule === null
    ? '✅ The rule is removed. Only bundles with a price of their own have a selling price now.'
    : '✅ Saved. It counts for orders from now on.'
export const undone = '↩️ It is as it was before.'
export const notUndone = 'It was changed again since. Nothing was undone.'
export const ownersOnly = 'Only the owner of the account sets prices.'
export const savedToast = 'Saved'
export const sameAsBefore = 'It is so already.'

const amountFaults: Record<AmountFault, string> = {
  unreadable: 'I cannot read that as an amount',
  comma: 'Write it with a point, not with a comma',
  negative: 'It cannot be below zero',
  fraction: 'There is nothing smaller than a pesewa',
  huge: 'That is too much',
}

export const notARule = (fault: RuleFault) => {
  const why =
    fault === 'rounding'
      ? 'Prices are rounded up to an amount from 0.01 to 10'
      : fault === 'negative'
        ? 'A rule does not go below what a bundle costs. To sell one at a loss, give it a price of its own'
        : amountFaults[fault]
  return `${why}. Nothing was changed. Send what you add in GHS or percent, for example <code>+2</code>, <code>10%</code> or <code>+2 round 0.50</code>, or /cancel.`
}

export const notAPrice = (fault: AmountFault | 'zero') =>
  `${fault === 'zero' ? 'A price is more than zero' : amountFaults[fault]}. Nothing was changed. Send the price in GHS, for example <code>26</code> or <code>26.50</code>, or /cancel.`

export const whichNetwork = `${b('Price of one bundle')}\nWhich network?`
export const whichBundle = (network: string) =>
  `${b(foreignWord(network))}: what it costs → what you sell it for.\nPress one to change its price. 🏷 has a price of its own, ⚠️ is sold at a loss.`

const priceLine = ({ costPesewas, sellPesewas, isOwn }: PricedBundle): string =>
  sellPesewas === null
    ? 'You have no selling price for it.'
    : `You sell for: ${b(formatGhs(sellPesewas))} (${isOwn ? 'its own price' : 'by your rule'}) · ${profitWords((sellPesewas - costPesewas) as Pesewas)}`

/** What somebody might ask for it: what they do, or a tenth above its cost, in whole tenths of a cedi. */
const exampleOf = ({ costPesewas, sellPesewas }: PricedBundle): Pesewas =>
  sellPesewas ?? ((Math.ceil((costPesewas * 1.1) / 10) * 10) as Pesewas)

export const bundlePrice = (bundle: PricedBundle) =>
  lines(
    b(`${foreignWord(bundle.network)} ${foreignWord(bundle.name)}`),
    `Costs you: ${formatGhs(bundle.costPesewas)}`,
    priceLine(bundle),
    '',
    `Send the price that you sell it for in GHS, for example <code>${plainGhs(exampleOf(bundle))}</code>.`,
  )

export const priceSaved = (bundle: PricedBundle) =>
  lines(
    `✅ ${b(`${foreignWord(bundle.network)} ${foreignWord(bundle.name)}`)}`,
    `Costs you: ${formatGhs(bundle.costPesewas)}`,
    priceLine(bundle),
    lossWarning(bundle.costPesewas, bundle.sellPesewas),
  )

const lossWarning = (cost: Pesewas, sell: Pesewas | null): string | null =>
  sell !== null && sell < cost
    ? `⚠️ Sold at a loss: that is ${formatGhs((cost - sell) as Pesewas)} below what it costs.`
    : null

/** Where the price list could not be read to name the bundle. */
export const priceSavedUnseen = '✅ Saved. It counts for orders from now on.'

// ── Price list ─────────────────────────────────────────────────────────────────────────────────────────────────

/** What stands where a shop has no name. */
const namelessShop = 'Mobile data'

/** The most bundles of one network that a list as a text names. */
const mostItems = 60

/** To be copied and posted: what customers see, and nothing of what it costs. A message for each network in need. */
export const priceListTexts = ({ shop, networks }: PriceList, now: Date): string[] => {
  const head = `${b(shop ? foreignWord(shop) : namelessShop)}\nData prices · ${day(now)}`
  const blocks = networks.map(({ network, items }) =>
    [
      b(foreignWord(network)),
      ...items
        .slice(0, mostItems)
        .map(({ name, pricePesewas }) => `${foreignWord(name)} – ${formatGhs(pricePesewas)}`),
    ].join('\n'),
  )
  const whole = [head, ...blocks].join('\n\n')
  return plainText(whole).length <= mostCharacters ? [whole] : blocks.map((block) => `${head}\n\n${block}`)
}

/** What Telegram takes in one message, with some room. */
const mostCharacters = 4_000

export const priceListPicture = ({ shop, networks }: PriceList, now: Date) => ({
  title: oneLine(shop ?? namelessShop),
  subtitle: `Data bundles · ${day(now)}`,
  networks: networks.map(({ network, items }) => ({
    network: oneLine(network),
    items: items.map((item) => ({ ...item, name: oneLine(item.name) })),
  })),
  note: 'Send the number and the size to order',
})

export const priceListCaption = ({ shop }: PriceList, now: Date) =>
  `${b(shop ? foreignWord(shop) : namelessShop)} · data prices, ${day(now)}`

/** Said to the reseller alone, after the list. */
export const leftOut = (unpriced: number, isOwner: boolean) =>
  `${unpriced === 1 ? '1 bundle is' : `${unpriced} bundles are`} not on the list: no selling price is set for ${unpriced === 1 ? 'it' : 'them'}.${isOwner ? ' Set prices adds a rule for all.' : ''}`

export const nothingPriced = (isOwner: boolean) =>
  isOwner
    ? 'There is nothing to list yet: set your prices first. A rule such as “what it costs + GHS 2” takes one press.'
    : 'There is nothing to list yet: the owner of the account has not set the selling prices.'

export const askShopName = `${b('What is your shop called?')}\nThe name stands on your price lists and receipts. Send it, for example <code>Ama Data</code>, or skip: you are not asked again.`
export const notAShopName = (typed: string) =>
  `${noShopName(typed)} Send one of at most 40 letters, for example <code>Ama Data</code>, or press Skip.`

/** Why a shop cannot be called so. */
export const noShopName = (typed: string): string => {
  switch (shopNameFault(visible(typed))) {
    case 'network':
      return 'A shop’s name cannot hold the name of a network: customers would take you for it.'
    case 'trust':
      return 'A shop’s name cannot hold “official”, “support”, a tick or words like PIN: customers would take you for somebody else.'
    case 'link':
      return 'A shop’s name cannot hold a link, an @name or a number.'
    case 'letters':
      return 'Some of these letters look like others. Write the name in plain letters.'
    case null:
      return 'That is no name that I can use.'
  }
}
export const shopNamed = (name: string) =>
  `✅ Your shop is called ${b(foreignWord(name))}. /settings changes it.`

// ── Receipts ───────────────────────────────────────────────────────────────────────────────────────────────────

const dayAndTime = (at: Date): string => `${day(at)}, ${clock(at)}`

/** To be forwarded to the customer: nothing of what it costs, and no word of a wallet. */
export const receipt = (made: Receipt) =>
  lines(
    `🧾 ${b(made.shop ? foreignWord(made.shop) : namelessShop)}`,
    `Receipt · ${dayAndTime(made.at)}`,
    '',
    b(`${foreignWord(made.network)} ${foreignWord(made.volume)}`),
    'phone' in made.whom
      ? `Number: ${foreignWord(numberOr(made.whom.phone))}`
      : `For ${made.whom.count} numbers`,
    `Status: ${foreignWord(receiptStatus(made.status))}${made.deliveredAt ? `, ${when(made.deliveredAt, made.at)}` : ''}`,
    made.pricePesewas === null ? null : `Price: ${b(formatGhs(made.pricePesewas))}`,
    made.reference ? `Reference: <code>${escapeHtml(oneLine(made.reference, 80))}</code>` : null,
    '',
    receiptNote(made),
  )

const receiptStatus = (status: ReceiptStatus): string =>
  status.kind === 'word'
    ? `${status.word}${status.reported ? ' (reported)' : ''}`
    : `${status.delivered} of ${status.of} delivered`

const receiptNote = ({ status }: Receipt): string => {
  switch (status.tone) {
    case 'good':
      return 'Thank you!'
    case 'open':
      return 'Thank you! It is on its way.'
    case 'bad':
      return 'It was not delivered. Please ask your seller.'
  }
}

export const receiptPicture = (made: Receipt) => ({
  title: oneLine(made.shop ?? namelessShop),
  subtitle: `Receipt · ${dayAndTime(made.at)}`,
  network: oneLine(made.network),
  volume: oneLine(made.volume),
  phone: 'phone' in made.whom ? numberOr(made.whom.phone) : `for ${made.whom.count} numbers`,
  status: { word: oneLine(receiptStatus(made.status)), tone: made.status.tone },
  rows: [
    ...(made.deliveredAt ? [{ label: 'Delivered', value: dayAndTime(made.deliveredAt) }] : []),
    ...(made.reference ? [{ label: 'Reference', value: oneLine(made.reference, 80) }] : []),
  ],
  price: made.pricePesewas === null ? null : { label: 'Price', value: formatGhs(made.pricePesewas) },
  note: receiptNote(made),
})

export const receiptHint = (sellPesewas: Pesewas | null, isEach: boolean, isOwner: boolean) =>
  sellPesewas === null
    ? lines(
        '☝️ Forward it to your customer. It has no price: this order has no selling price.',
        isOwner
          ? 'Set its price for this order alone, or Set prices for all that you sell.'
          : 'Set its price for this order.',
      )
    : `☝️ Forward it to your customer. Sold for another price than ${formatGhs(sellPesewas)}${isEach ? ' each' : ''}? Change it, then make the receipt again.`
export const notPlacedYet = 'There is a receipt once the order is placed.'
export const whoseReceipt = (bundle: string, count: number) =>
  `${b(bundle)} for ${count} numbers: whom is the receipt for?`

/** @param cost what each costs; null for who does not see it. */
export const askSoldFor = (order: PricelessOrder, cost: Pesewas | null) =>
  lines(
    `${b(`${foreignWord(order.network)} ${foreignWord(order.volume)}`)} for ${whomOf(order)}`,
    order.sellUnitPesewas === null
      ? 'It has no selling price.'
      : `Selling price: ${formatGhs(order.sellUnitPesewas)}${eachOf(order)}`,
    cost === null ? null : `Costs you: ${formatGhs(cost)}${eachOf(order)}`,
    '',
    `What did you sell it for${eachOf(order)}? Send the price in GHS, for example <code>26</code>. It changes this order alone.`,
  )

/** @param sale what it brings, in words. */
export const soldFor = (order: PricelessOrder, cost: Pesewas | null, sale: string | null) =>
  lines(
    `✅ ${foreignWord(order.network)} ${foreignWord(order.volume)} for ${whomOf(order)}: ${order.sellUnitPesewas === null ? 'no selling price' : b(formatGhs(order.sellUnitPesewas)) + eachOf(order)}`,
    sale,
    cost === null ? null : lossWarning(cost, order.sellUnitPesewas),
  )

const eachOf = ({ quantity }: PricelessOrder) => (quantity > 1 ? ' each' : '')
const whomOf = ({ recipients }: PricelessOrder) =>
  recipients.length === 1 ? phoneText(recipients[0]?.phone ?? '') : `${recipients.length} numbers`
