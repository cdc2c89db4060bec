import {
  type PriceRule,
  type Shop,
  sellingPrice,
  type TierScope,
  tierFor,
} from '../../../domain/selling/price-rule.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { Bundle } from '../../../provider/index.ts'
import { bundleNames } from '../../../shop/price-list.ts'
import { isWalletError } from '../../../wallets/wallets.ts'
import type { ActOf } from '../../buttons/table.ts'
import { sellingLabels } from '../../cards/words/shop.ts'
import { askNext, type BotContext, forgetQuestion, pendingQuestion } from '../../chat/context.ts'
import { type Button, button } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { chosenLabel } from '../../words/labels.ts'
import * as words from './words.ts'

export const sellingButton = (label: string, act: ActOf<'selling'>): Button =>
  button(label, { do: 'selling', act })

/** Buttons for what rules most often add to the cost; any other value can be typed. The current value is marked. */
export const addRows = (
  rule: PriceRule | null,
  actFor: (kind: PriceRule['kind'], value: number) => ActOf<'selling'>,
): Button[][] => {
  const present = rule && (rule.kind === 'plus' ? rule.pesewas : rule.tenths)
  const addButton = (kind: PriceRule['kind'], value: number): Button =>
    sellingButton(
      chosenLabel(words.addLabel({ kind, value }), rule?.kind === kind && present === value),
      actFor(kind, value),
    )
  return [[addButton('plus', 50), addButton('plus', 100), addButton('percent', 100)]]
}

/** The bundles of the account; null if they cannot be read now. Selling prices can be set without them. */
export const readableBundles = async (services: Services, accountId: string): Promise<Bundle[] | null> => {
  try {
    return (await services.prices.list(accountId, 'person')).bundles
  } catch (error) {
    if (!isWalletError(error)) throw error
    services.onNotice()
    return null
  }
}

/** A bundle as its seller sees it. */
export const pricedBundle = (shop: Shop, bundle: Bundle, bundles: readonly Bundle[]): words.PricedBundle => ({
  network: bundle.network,
  name:
    bundleNames(bundles.filter(({ network }) => network === bundle.network)).get(bundle.id) ?? bundle.volume,
  costPesewas: bundle.pricePesewas,
  sellPesewas: sellingPrice(shop, { ...bundle, bundleId: bundle.id }, bundle.pricePesewas),
  isOwn: shop.own.has(bundle.id),
})

/** An example bundle for the price rule. If there is no rule, any bundle with a selling price is the example. */
export const exampleOf = (shop: Shop, bundles: Bundle[]): words.PricedBundle | null =>
  shop.rule ? exampleFor(shop, bundles, null) : exampleAmong(shop, bundles, () => true)

/** An example bundle for a tier. @param tier null: for the rule of all bundles without a tier. */
export const exampleFor = (
  shop: Shop,
  bundles: Bundle[],
  tier: TierScope | null,
): words.PricedBundle | null =>
  exampleAmong(
    shop,
    bundles,
    (bundle) => !shop.own.has(bundle.id) && isSameScope(tierFor(shop.tiers, bundle), tier),
  )

const isSameScope = (one: TierScope | null, other: TierScope | null): boolean =>
  one?.network === other?.network && one?.fromMegabytes === other?.fromMegabytes

/** One of the matching bundles that have a price: the 5GB bundle if there is one, otherwise one of middle cost. */
const exampleAmong = (
  shop: Shop,
  bundles: Bundle[],
  fits: (bundle: Bundle) => boolean,
): words.PricedBundle | null => {
  const fitting = bundles.filter(
    (bundle) => fits(bundle) && pricedBundle(shop, bundle, bundles).sellPesewas !== null,
  )
  const sorted = fitting.toSorted((a, b) => a.pricePesewas - b.pricePesewas || a.id - b.id)
  const example = fitting.find(({ volume }) => volume === '5GB') ?? sorted[Math.floor(sorted.length / 2)]
  return example ? pricedBundle(shop, example, bundles) : null
}

/**
 * Asks once for the shop's name; a person who continues without answering is not asked again. @returns false if it does
 * not ask.
 */
export const asksShopName = async (
  ctx: BotContext,
  person: Person,
  then: ActOf<'selling'>,
): Promise<boolean> => {
  const { store, now } = ctx.services
  const pending = await pendingQuestion(ctx)
  if (pending?.what === 'selling' && pending.ask.about === 'shop_name') await forgetQuestion(ctx)
  if (person.role !== 'owner' || !(await store.shops.askName(person.accountId, now()))) return false
  await askNext(ctx, { what: 'selling', ask: { about: 'shop_name', then } })
  ctx.talk.say({ text: words.askShopName, rows: [[sellingButton(sellingLabels.noName, then)]] })
  return true
}
