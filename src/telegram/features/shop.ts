import { type Shop, sellingPrice } from '../../journal/selling.ts'
import type { Person } from '../../orders/purchases.ts'
import { type Bundle, ProviderError } from '../../provider/index.ts'
import { bundleNames } from '../../shop/price-list.ts'
import { NoWallet } from '../../wallets/wallets.ts'
import type { ActOf } from '../buttons/button.ts'
import { askNext, type BotContext } from '../chat/context.ts'
import { type Key, key } from '../chat/screen.ts'
import type { Services } from '../chat/services.ts'
import * as words from '../texts/selling.ts'

/** A button of the prices and receipts. */
export const sellingKey = (label: string, act: ActOf<'selling'>): Key => key(label, { do: 'selling', act })

/** The account's price list; null if it cannot be read now: prices can be set without it. */
export const readableBundles = async (services: Services, accountId: string): Promise<Bundle[] | null> => {
  try {
    return (await services.prices.list(accountId, 'person')).bundles
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
    services.onNotice()
    return null
  }
}

/** A bundle from its seller's view. */
export const pricedBundle = (shop: Shop, bundle: Bundle, bundles: readonly Bundle[]): words.PricedBundle => ({
  network: bundle.network,
  name:
    bundleNames(bundles.filter(({ network }) => network === bundle.network)).get(bundle.id) ?? bundle.volume,
  costPesewas: bundle.pricePesewas,
  sellPesewas: sellingPrice(shop, bundle.id, bundle.pricePesewas),
  isOwn: shop.own.has(bundle.id),
})

/** An example bundle for the rule: of a usual size if possible, and without its own price. */
export const exampleOf = (shop: Shop, bundles: Bundle[]): words.PricedBundle | null => {
  const byRule = shop.rule
    ? bundles.filter(({ id }) => !shop.own.has(id))
    : bundles.filter(({ id }) => shop.own.has(id))
  const sorted = byRule.toSorted((a, b) => a.pricePesewas - b.pricePesewas || a.id - b.id)
  const example = byRule.find(({ volume }) => volume === '5GB') ?? sorted[Math.floor(sorted.length / 2)]
  return example ? pricedBundle(shop, example, bundles) : null
}

/** Asks for the shop's name, once. @returns whether it asks. */
export const asksShopName = async (
  ctx: BotContext,
  { store, now }: Services,
  person: Person,
  then: ActOf<'selling'>,
): Promise<boolean> => {
  if (person.role !== 'owner' || !(await store.shops.askName(person.accountId, now()))) return false
  await askNext(ctx, { what: 'selling', ask: { about: 'shop_name', then } })
  ctx.talk.say({ text: words.askShopName, rows: [[sellingKey(words.sellingLabels.skip, then)]] })
  return true
}
