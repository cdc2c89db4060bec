import type { Order } from '../../../domain/order/order.ts'
import { visible } from '../../../lists/names/contact-name.ts'
import { formatGhs, minus, type Pesewas, sum, zero } from '../../../provider/money.ts'
import { profitOf, type TakingsTotal, takingsOf, totalTakings } from '../../../shop/profit.ts'
import { shopNameFault } from '../../../shop/shop-name.ts'
import { b, grouped, joined } from '../../words/markup.ts'
import type { MemberRole } from '../viewer.ts'

/** What cards show about selling: prices, profit, and buttons that lead to the selling screens. */

/** `profit GHS 2.50`, `loss GHS 1.00` */
export const profitWords = (profit: Pesewas): string =>
  profit < 0 ? `loss ${formatGhs(minus(zero, profit))}` : `profit ${formatGhs(profit)}`

interface Sale {
  salesPesewas: Pesewas
  /** Null if the profit is not known. */
  profitPesewas: Pesewas | null
  /** Whether a part of the sale is still to be delivered. */
  isOpen: boolean
}

/** The selling price, and for owners the profit. */
const saleWords = ({ salesPesewas, profitPesewas, isOpen }: Sale, role: MemberRole | null): string =>
  joined(
    ' · ',
    `${isOpen ? 'You sell for' : 'Sold for'} ${formatGhs(salesPesewas)}`,
    role === 'owner' && profitPesewas !== null
      ? `${b(profitWords(profitPesewas))}${isOpen ? ' when delivered' : ''}`
      : null,
  )

/** The line on the card of an order; null if there is no sale to show. */
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

/** The line on the card of a list and in its closing message; null if none of its orders has a selling price. */
export const listSale = (total: TakingsTotal, role: MemberRole | null): string | null => {
  const { delivered, open } = total
  if (role === null || delivered + open === 0) return null
  const money = open > 0 ? hopedOf(total) : total
  const left =
    total.unpriced === 0
      ? ''
      : ` (${total.unpriced === 1 ? '1 order has' : `${grouped(total.unpriced)} orders have`} no selling price)`
  return saleWords({ ...money, isOpen: open > 0 }, role) + left
}

/** The line in the preview of a list; null if no number has a selling price. */
export const previewedSale = (
  prices: readonly { costPesewas: Pesewas; sellPesewas: Pesewas | null }[],
  role: MemberRole | null,
): string | null => {
  const priced = prices.filter(({ sellPesewas }) => sellPesewas !== null)
  if (role === null || priced.length === 0) return null
  const sales = sum(priced.map(({ sellPesewas }) => sellPesewas ?? zero))
  const cost = sum(priced.map(({ costPesewas }) => costPesewas))
  const words = saleWords({ salesPesewas: sales, profitPesewas: minus(sales, cost), isOpen: true }, role)
  const left = prices.length - priced.length
  return left > 0 ? `${words} (${grouped(left)} without a selling price)` : words
}

export const sellingLabels = {
  picture: '🖼 Pictures',
  text: '📝 Text',
  setPrices: '✏️ Set prices',
  shop: '🏪 Your shop',
  tiers: '📐 By network or size',
  onePrice: '🏷 Price of one bundle',
  noRule: '🗑 Remove rule',
  byRule: '↩️ Use the rule',
  noRounding: 'No rounding',
  undo: '↩️ Undo',
  receipt: '🧾 Receipt',
  otherPrice: '🏷 Change price',
  setPrice: '🏷 Price this order',
  noName: 'Skip',
} as const

/** Why a shop cannot have the typed name. */
export const noShopName = (typed: string): string => {
  switch (shopNameFault(visible(typed))) {
    case 'network':
      return 'A shop’s name can’t contain the name of a network: customers might think you’re the network.'
    case 'trust':
      return 'A shop’s name can’t contain “official”, “support”, a tick or words like PIN: customers might think you’re somebody else.'
    case 'link':
      return 'A shop’s name can’t contain a link, an @name or a number.'
    case 'letters':
      return 'Some of these letters look like other letters. Write the name in plain letters.'
    case null:
      return 'I can’t use that name.'
  }
}
