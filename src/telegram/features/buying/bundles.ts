import { type Shop, sellingPrice } from '../../../domain/selling/price-rule.ts'
import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { productsIn } from '../../../lists/meaning/products.ts'
import { readSize, type Size, writtenSize } from '../../../lists/size.ts'
import { bundlesOf } from '../../../orders/buying/prices.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { networks } from '../../../provider/index.ts'
import { bundleNames } from '../../../shop/price-list.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import { networksFor } from '../../cards/agent-permissions.ts'
import type { Asker, BotContext } from '../../chat/context.ts'
import { type Button, button, homeButton, inRows, type Screen } from '../../chat/screen.ts'
import * as bundleTexts from '../../words/bundle.ts'
import { homeLabels } from '../../words/labels.ts'
import { endEarlier } from '../wallet/unanswered.ts'
import { hasSize, nearest } from './bundle-screens.ts'
import { withPrices } from './priced-bundles.ts'

/** `/bundles`, `/bundles MTN` and `/bundles MTN 5GB`: shows bundles with their prices. */
export const bundles = async (ctx: BotContext, person: Person, text: string): Promise<void> => {
  const { rest, network, size } = productsIn(text.toLowerCase().split(/\s+/).filter(Boolean))
  if (rest.length > 0)
    return ctx.talk.say({ text: bundleTexts.noSuchNetwork(text), rows: [filterButtons(null)] })
  const isAnything = network === null && size === null
  const { defaultNetwork } = await ctx.services.store.preferences.of(person.userId)
  const products = {
    network: isAnything ? defaultNetwork : network,
    ...(size && { size: writtenSize(size) }),
  }
  await showPrices(ctx, person, products)
}

/** Which prices are shown: those of one network or all, and of one size or all. */
type Products = Omit<Extract<ButtonPress, { do: 'prices' }>, 'do'>

/** Shows bundles at the person's prices. */
export const showPrices = async (ctx: BotContext, person: Person, products: Products): Promise<void> => {
  await endEarlier(ctx, 'bundles')
  showPricesTo(ctx, person, products)
}

/** Like `showPrices`. It also answers a request that had to wait because the prices could not be read. */
export const showPricesTo = (ctx: Asker, person: Person, products: Products): void => {
  const { network, size: written } = products
  const size = written === undefined ? null : readSize(written)
  const work = async (list: ListedBundle[]) => {
    const shop = await ctx.services.store.shops.asSeenBy(person)
    if (size === null) return ctx.talk.show(pricesScreen(list, network, shop, person))
    const allowed = await networksFor(ctx.services.store, person)
    ctx.talk.show(sizeScreen(list, { network, size, allowed }, shop, person))
  }
  withPrices(ctx, person, work, { view: { do: 'prices', ...products } })
}

const pricesButton = (label: string, network: string | null): Button =>
  button(label, { do: 'prices', network })

const filterButtons = (chosen: string | null): Button[] =>
  networks.filter((network) => network !== chosen).map((network) => pricesButton(network, network))

const pricesScreen = (
  list: ListedBundle[],
  network: string | null,
  shop: Shop,
  person: Pick<Person, 'role'>,
): Screen => {
  const { priced, head } = pricedFor(list, shop, person)
  const shown = network ? [network] : [...new Set(list.map((bundle) => bundle.network))]
  const blocks = blocksOf(priced, shown)
  return {
    text: blocks.length > 0 ? [head, ...blocks].join('\n\n') : bundleTexts.noBundlesAtAll,
    rows: [...inRows(filterButtons(network), 2), [button(homeLabels.buy, { do: 'networks' }), homeButton]],
  }
}

/** How many bundles of one size have a button. */
const maxOffered = 6

/** The bundles of the wanted size, or, if there are none, those of the nearest sizes. Each has a button. */
const sizeScreen = (
  list: ListedBundle[],
  { network, size, allowed }: { network: string | null; size: Size; allowed: readonly string[] },
  shop: Shop,
  person: Pick<Person, 'role'>,
): Screen => {
  const among = network ? list.filter((bundle) => bundle.network === network) : list
  const sized = among.filter((bundle) => hasSize(bundle, size))
  const found = sized.length > 0 ? sized : nearest(among, size)
  const { priced, head, isPlain } = pricedFor(found, shop, person, bundleNames(list))
  const blocks = blocksOf(priced, [...new Set(found.map((bundle) => bundle.network))])
  const missing = sized.length > 0 ? [] : [bundleTexts.notSold(writtenSize(size), network)]
  const sold = priced.filter((bundle) => allowed.includes(bundle.network)).slice(0, maxOffered)
  return {
    text: [...missing, ...(isPlain ? [] : [head]), ...blocks].join('\n\n'),
    rows: [
      ...sold.map(({ id, network: of, name }) => [
        button(bundleTexts.buyLabel(of, name), { do: 'bundle', bundleId: id, phone: null }),
      ]),
      [pricesButton(bundleTexts.allLabel(network), network), homeButton],
    ],
  }
}

/** The bundles with the prices that the person sees, and the heading above them. */
const pricedFor = (
  list: ListedBundle[],
  shop: Shop,
  { role }: Pick<Person, 'role'>,
  names = bundleNames(list),
) => {
  const isCostSeen = role === 'owner' || shop.agentPrices === 'cost'
  const priced = list.map(({ pricePesewas: cost, ...bundle }) => ({
    ...bundle,
    pricePesewas: cost,
    name: names.get(bundle.id) ?? bundle.volume,
    sellPesewas:
      isCostSeen && cost !== null ? sellingPrice(shop, { ...bundle, bundleId: bundle.id }, cost) : null,
  }))
  const hasSelling = priced.some(({ sellPesewas }) => sellPesewas !== null)
  const unpriced = priced.filter(({ pricePesewas }) => pricePesewas === null).length
  const head = isCostSeen
    ? bundleTexts.priceHead(role === 'owner', hasSelling)
    : bundleTexts.priceHeadForAgent(shop.agentPrices, unpriced)
  return { priced, head, isPlain: !hasSelling && unpriced === 0 }
}

const blocksOf = (priced: ReturnType<typeof pricedFor>['priced'], shown: readonly string[]): string[] =>
  shown.map((network) => bundleTexts.priceBlock(network, bundlesOf(priced, network)))
