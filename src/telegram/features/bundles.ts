import { type Shop, sellingPrice } from '../../journal/selling.ts'
import type { ListedBundle } from '../../lists/listed-bundle.ts'
import { readNetwork } from '../../lists/network-word.ts'
import { bundlesOf } from '../../orders/prices.ts'
import type { Person } from '../../orders/purchases.ts'
import { networks } from '../../provider/index.ts'
import { bundleNames } from '../../shop/price-list.ts'
import type { Asker, BotContext } from '../chat/context.ts'
import { personOf } from '../chat/person.ts'
import { type Key, key, type Screen } from '../chat/screen.ts'
import type { Services } from '../chat/services.ts'
import * as bundleTexts from '../texts/bundle.ts'
import { homeLabels } from '../texts/home.ts'
import { labels } from '../texts/labels.ts'
import { needAccount } from '../texts/refusal.ts'
import { withPrices } from './priced-bundles.ts'
import { endEarlier } from './unanswered.ts'

/** `/bundles`, `/bundles MTN`. */
export const bundles = async (ctx: BotContext, services: Services): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.say(needAccount)
    return
  }
  const word = typeof ctx.match === 'string' ? ctx.match.trim() : ''
  const named = word ? readNetwork(word) : null
  if (word && !named) {
    ctx.talk.say({ text: bundleTexts.noSuchNetwork(word), rows: [filterKeys(null)] })
    return
  }
  const network = named ?? (await services.store.preferences.of(person.userId)).defaultNetwork
  await endEarlier(ctx, services, 'bundles')
  showPricesTo(ctx, services, person, network)
}

/** Shows a network's bundles at the person's prices; null: all networks. */
export const showPrices = async (
  ctx: BotContext,
  services: Services,
  network: string | null,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.show(needAccount)
    return
  }
  await endEarlier(ctx, services, 'bundles')
  showPricesTo(ctx, services, person, network)
}

/** The same for a member. */
export const showPricesTo = (ctx: Asker, services: Services, person: Person, network: string | null): void =>
  withPrices(
    ctx,
    services,
    person,
    async (list) =>
      ctx.talk.show(pricesScreen(list, network, await services.store.shops.of(person.accountId), person)),
    { view: { do: 'prices', network } },
  )

const filterKeys = (chosen: string | null): Key[] => [
  ...networks
    .filter((network) => network !== chosen)
    .map((network) => key(network, { do: 'prices', network })),
]

const pricesScreen = (
  list: ListedBundle[],
  network: string | null,
  shop: Shop,
  { role }: Pick<Person, 'role'>,
): Screen => {
  const names = bundleNames(list)
  const isCostSeen = role === 'owner' || shop.agentPrices === 'cost'
  const priced = list.map(({ pricePesewas: cost, ...bundle }) => ({
    ...bundle,
    pricePesewas: cost,
    name: names.get(bundle.id) ?? bundle.volume,
    sellPesewas: isCostSeen && cost !== null ? sellingPrice(shop, bundle.id, cost) : null,
  }))
  const shown = network ? [network] : [...new Set(list.map((bundle) => bundle.network))]
  const blocksOf = shown.map((name) => bundlesOf(priced, name))
  const blocks = shown.map((name, index) => bundleTexts.priceBlock(name, blocksOf[index] ?? []))
  const hasSelling = priced.some(({ sellPesewas }) => sellPesewas !== null)
  const unpriced = blocksOf.flat().filter(({ pricePesewas }) => pricePesewas === null).length
  const head = isCostSeen
    ? bundleTexts.priceHead(role === 'owner', hasSelling)
    : bundleTexts.priceHeadForAgent(shop.agentPrices, unpriced)
  const keys = filterKeys(network)
  return {
    text: blocks.length > 0 ? [head, ...blocks].join('\n\n') : bundleTexts.noBundlesAtAll,
    rows: [
      keys.slice(0, 2),
      keys.slice(2),
      [key(homeLabels.buy, { do: 'networks' }), key(labels.home, { do: 'home' })],
    ],
  }
}
