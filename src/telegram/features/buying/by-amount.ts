import { sellingPrice } from '../../../domain/selling/price-rule.ts'
import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { Phone } from '../../../provider/index.ts'
import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import { bundleNames } from '../../../shop/price-list.ts'
import { button, leaveButton, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { bundleLabel } from '../../words/bundle.ts'
import { inTwo, megabytesIn } from './bundle-screens.ts'
import { amountUnknown, byAmount, nothingFor } from './words.ts'

/** How many bundles are offered for an amount of money. */
const maxOffered = 6

/** A bundle with the price that the customer pays: the selling price, or the person's own if there is none. */
interface Priced {
  bundle: ListedBundle
  price: Pesewas
}

/**
 * `0241234567 GHS 20`: what the amount buys on these networks, the largest bundle first. If it buys nothing, the
 * cheapest bundles. No bundle for somebody who sees no prices.
 */
export const amountScreen = async (
  { store }: Pick<Services, 'store'>,
  { accountId, role }: Person,
  bundles: ListedBundle[],
  { phone, amount, among }: { phone: Phone; amount: Pesewas; among: readonly string[] },
): Promise<Screen> => {
  const shop = await store.shops.of(accountId)
  const priced = bundles.flatMap((bundle): Priced[] => {
    const { id: bundleId, pricePesewas: own } = bundle
    if (own === null || !among.includes(bundle.network)) return []
    const sold = role === 'owner' ? sellingPrice(shop, { ...bundle, bundleId }, own) : null
    return [{ bundle, price: sold ?? own }]
  })
  const within = priced
    .filter(({ price }) => price <= amount)
    .sort((a, b) => megabytesIn(b.bundle) - megabytesIn(a.bundle) || a.price - b.price)
  const cheapest = priced.toSorted((a, b) => a.price - b.price)
  const names = bundleNames(bundles)
  const buttons = (within.length > 0 ? within : cheapest).slice(0, maxOffered).map(({ bundle, price }) => {
    const label = bundleLabel(names.get(bundle.id) ?? bundle.volume, price)
    return button(among.length > 1 ? `${bundle.network} ${label}` : label, {
      do: 'bundle',
      bundleId: bundle.id,
      phone,
    })
  })
  const isResale = within.some(({ bundle, price }) => price !== bundle.pricePesewas)
  const instead = priced.length > 0 ? nothingFor : amountUnknown
  const written = formatGhs(amount)
  const text = within.length > 0 ? byAmount(written, phone, isResale) : instead(written, phone)
  return { text, rows: [...inTwo(buttons), [leaveButton]] }
}
