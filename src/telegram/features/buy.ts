import { NoWallet } from '../../accounts/wallets.ts'
import type { ListedBundle } from '../../lists/listed-bundle.ts'
import { readNetwork } from '../../lists/network-word.ts'
import { readPhone } from '../../lists/phone.ts'
import { damagedPhone, readRequest } from '../../lists/request.ts'
import { isSameSize, megabytesOf, readSize, type Size } from '../../lists/size.ts'
import { bundlesSeen } from '../../orders/list.ts'
import { keepOn, likelyNetworks } from '../../orders/network-prefixes.ts'
import type { Offer } from '../../orders/order.ts'
import { bundlesOf, isTwin, offerOf } from '../../orders/prices.ts'
import type { Person } from '../../orders/purchases.ts'
import { pricesSeenBy } from '../../orders/purse.ts'
import { type Bundle, networks, type Phone, ProviderError } from '../../provider/index.ts'
import { bundleNames } from '../../shop/price-list.ts'
import { type Shop, sellingPrice } from '../../shop/selling.ts'
import { bookOf } from '../../store/customers.ts'
import type { Button } from '../buttons/button.ts'
import { askNext, type BotContext, forgetQuestion, messageCause } from '../context.ts'
import { networksFor } from '../engagement.ts'
import { personOf } from '../person.ts'
import { type Key, key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import { notAllowed } from '../texts/agent.ts'
import * as bundleTexts from '../texts/bundle.ts'
import * as buyTexts from '../texts/buy.ts'
import { orTypeName } from '../texts/customer.ts'
import { homeLabels } from '../texts/home.ts'
import { labels } from '../texts/labels.ts'
import { needAccount } from '../texts/refusal.ts'
import { settingsLabels } from '../texts/settings.ts'
import * as unreadableTexts from '../texts/unreadable.ts'
import { showCardOnce } from './card.ts'
import { customerKeys, namedThere } from './customer-choice.ts'
import { mayOrder } from './disconnect.ts'
import { takeText } from './paste.ts'

const leaveKey: Key = key(labels.leave, { do: 'leave' })
const perPage = 12

/** `/buy`, with or without a number and a size behind it. */
export const buy = async (ctx: BotContext, services: Services): Promise<void> => {
  await forgetQuestion(ctx, services)
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.say(needAccount)
    return
  }
  if (!(await mayOrder(ctx, services, person))) return
  const text = typeof ctx.match === 'string' ? ctx.match.trim() : ''
  if (text === '') return openAtDefault(ctx, services, person)
  if (await takeText(ctx, services, null, text)) return
  if (!(await buyByText(ctx, services, person, text))) ctx.talk.say(buyTexts.notAnOrder)
}

/** The bundles of the network that the person buys most, or all networks. */
const openAtDefault = async (ctx: BotContext, services: Services, person: Person): Promise<void> => {
  const allowed = await networksFor(services.store, person)
  const { defaultNetwork } = await services.store.preferences.of(person.userId)
  if (defaultNetwork === null || !allowed.includes(defaultNetwork)) {
    ctx.talk.show(networksScreen(buyTexts.chooseNetwork, null, { allowed }))
    return
  }
  withPrices(ctx, services, person, async (bundles) => {
    const ways = { ...singleWays(defaultNetwork, null), backLabel: settingsLabels.otherNetworks }
    ctx.talk.show(bundlesScreen(bundles, defaultNetwork, 0, ways))
  })
}

/** `0241234567 5GB` in one go, or a number alone. @returns false where the text does not look like either. */
export const buyByText = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  text: string,
): Promise<boolean> => {
  const request = readRequest(text)
  const phone = request ? null : readPhone(text)
  if (!request && !phone) {
    const damaged = damagedPhone(text)
    if (damaged) ctx.talk.say(buyTexts.damagedOrder(damaged))
    return damaged !== null
  }
  if (await showEarlier(ctx, services, messageCause(ctx))) return true
  if (!(await mayOrder(ctx, services, person))) return true
  if (phone) {
    const allowed = await networksFor(services.store, person)
    const likely = await likelyNetworks(services.store, person.accountId, phone.phone)
    ctx.talk.say(networksScreen(buyTexts.chooseNetworkFor(phone.phone), phone.phone, { allowed, likely }))
    return true
  }
  if (request) {
    withPrices(ctx, services, person, async (bundles, offered) => {
      const named = request.network ?? null
      const { phone } = request.phone
      const { likely } = await buyerOf(services, person, phone)
      if (named && !(await mayBelong(services, person, named, phone))) {
        ctx.talk.say(contradictionScreen(bundles, { network: named, size: request.size, phone, likely }))
        return
      }
      const choice = chooseBundle(bundles, await buyerOf(services, person, phone), request.size, named)
      if (choice.kind === 'bundle')
        await offer(ctx, services, person, messageCause(ctx), offered(choice.bundle), phone)
      else ctx.talk.say(choice.screen)
    })
  }
  return true
}

/** Who gets it. */
interface Buyer {
  phone: Phone
  /** With which the number is saved. */
  name: string | null
  /** The bundles that a saved customer got before, newest first. */
  bought: readonly number[]
  /** The networks that the number probably belongs to. */
  likely: readonly string[]
}

/** So many orders of a customer are looked through for what they last bought. */
const ordersLookedAt = 50

const buyerOf = async ({ store }: Services, person: Person, phone: Phone): Promise<Buyer> => {
  const { customers } = store
  const likely = await likelyNetworks(store, person.accountId, phone)
  const saved = await customers.byPhone(bookOf(person), phone)
  if (!saved) return { phone, name: null, bought: [], likely }
  const userId = person.role === 'owner' ? null : person.userId
  const orders = await customers.ordersFor({ accountId: person.accountId, userId, phone }, ordersLookedAt)
  const bought = orders.filter(({ placement }) => placement === 'placed').map(({ bundleId }) => bundleId)
  return { phone, name: saved.name, bought, likely }
}

/** A redelivered message, and a press that was sent twice, lead to the purchase that the first one made. */
const showEarlier = async (ctx: BotContext, services: Services, cause: string): Promise<boolean> => {
  const earlier = await services.store.purchases.byCause(cause)
  if (!earlier) return false
  showCardOnce(ctx, services, 'say', earlier.id)
  return true
}

const pressCause = (ctx: BotContext, bundleId: number, phone: Phone): string =>
  `press:${ctx.talk.chatId}:${ctx.msgId}:${bundleId}:${phone}`

type Choice = { kind: 'bundle'; bundle: ListedBundle } | { kind: 'ask'; screen: Screen }

/** The bundle that a number and a size mean, the one bought last where several may be, or the question that is left. */
export const chooseBundle = (
  bundles: ListedBundle[],
  { phone, name, bought, likely }: Buyer,
  size: Size,
  network: string | null,
): Choice => {
  const candidates = network ? [network] : likely
  if (candidates.length === 0)
    return { kind: 'ask', screen: networksScreen(buyTexts.chooseNetworkFor(phone), phone, { likely }) }
  const sized = bundles.filter((bundle) => candidates.includes(bundle.network) && hasSize(bundle, size))
  const selling = [...new Set(sized.map((bundle) => bundle.network))]
  const label = `${size.amount}${size.unit}`
  const [only] = sized
  if (only && sized.length === 1) return { kind: 'bundle', bundle: only }
  const last = bought.find((bundleId) => sized.some(({ id }) => id === bundleId))
  const usual = sized.find(({ id }) => id === last)
  if (usual) return { kind: 'bundle', bundle: usual }
  if (only) {
    const text =
      selling.length > 1
        ? buyTexts.whichNetwork(label, phone, name)
        : buyTexts.whichOffer(label, only.network, phone, name)
    return { kind: 'ask', screen: { text, rows: offerRows(sized, phone, selling.length > 1) } }
  }
  const near = nearest(
    bundles.filter((bundle) => candidates.includes(bundle.network)),
    size,
  )
  const text =
    near.length > 0
      ? buyTexts.noSuchSize(label, candidates.join(' or '))
      : bundleTexts.noBundles(candidates.join(' or '))
  return { kind: 'ask', screen: { text, rows: offerRows(near, phone, candidates.length > 1) } }
}

const hasSize = (bundle: ListedBundle, size: Size): boolean => {
  const volume = readSize(bundle.volume)
  return volume !== null && isSameSize(volume, size)
}

const nearest = (bundles: ListedBundle[], size: Size): ListedBundle[] => {
  const distance = (bundle: ListedBundle) => {
    const volume = readSize(bundle.volume)
    return volume ? Math.abs(megabytesOf(volume) - megabytesOf(size)) : Number.POSITIVE_INFINITY
  }
  return bundles
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, 4)
    .sort((a, b) => megabytesIn(a) - megabytesIn(b))
}

const megabytesIn = ({ volume }: ListedBundle): number => {
  const size = readSize(volume)
  return size ? megabytesOf(size) : Number.POSITIVE_INFINITY
}

const offerRows = (bundles: ListedBundle[], phone: Phone, nameNetwork: boolean): Key[][] => [
  ...bundles.map((bundle) => {
    const label = bundleLabel(bundle, bundles)
    return [
      key(nameNetwork ? `${bundle.network} ${label}` : label, { do: 'keep', bundleId: bundle.id, phone }),
    ]
  }),
  [leaveKey],
]

/** Step 1: a button per network, the likely ones first. @param allowed an agent may have fewer than there are. */
export const networksScreen = (
  text: string,
  phone: Phone | null = null,
  { allowed = networks, likely = [] }: { allowed?: readonly string[]; likely?: readonly string[] } = {},
): Screen => {
  const sorted = networks
    .filter((network) => allowed.includes(network))
    .sort((a, b) => Number(likely.includes(b)) - Number(likely.includes(a)))
  const keys = sorted.map((network) =>
    key(
      network,
      phone ? { do: 'bundles_for', network, phone, page: 0 } : { do: 'bundles', network, page: 0 },
    ),
  )
  return { text, rows: [keys.slice(0, 2), keys.slice(2), [leaveKey]] }
}

export const showNetworks = async (
  ctx: BotContext,
  services: Services,
  phone: Phone | null,
  /** Also where the person has settled for one. */
  all = false,
): Promise<void> => {
  await forgetQuestion(ctx, services)
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.show(needAccount)
    return
  }
  if (!(await mayOrder(ctx, services, person))) return
  if (!phone && !all) return openAtDefault(ctx, services, person)
  const text = phone ? buyTexts.chooseNetworkFor(phone) : buyTexts.chooseNetwork
  const likely = phone ? await likelyNetworks(services.store, person.accountId, phone) : []
  const allowed = await networksFor(services.store, person)
  ctx.talk.show(networksScreen(text, phone, { allowed, likely }))
}

/** Step 2: a button per bundle. */
export const showBundles = async (
  ctx: BotContext,
  services: Services,
  network: string,
  phone: Phone | null,
  page: number,
): Promise<void> => {
  await forgetQuestion(ctx, services)
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.show(needAccount)
    return
  }
  if (!(await mayBuy(ctx, services, person, network))) return
  withPrices(ctx, services, person, async (bundles) => {
    ctx.talk.show(bundlesScreen(bundles, network, page, singleWays(network, phone)))
  })
}

/** Told apart from the others by its offer, where it has their size. */
export const bundleLabel = (bundle: ListedBundle, among: readonly ListedBundle[]): string =>
  bundleTexts.bundleLabel(bundleNames(among).get(bundle.id) ?? bundle.volume, bundle.pricePesewas)

/** Whether the person may order on that network; an agent who may not is told which they may. */
export const mayBuy = async (
  ctx: BotContext,
  { store }: Services,
  person: Person,
  network: string,
): Promise<boolean> => {
  const allowed = await networksFor(store, person)
  if (allowed.includes(network) || !(networks as readonly string[]).includes(network)) return true
  ctx.talk.toast(notAllowed(network, allowed), true)
  return false
}

/** Where a screen of bundles leads. */
interface BundleWays {
  text: string
  back: Button
  /** Where nobody came from there. */
  backLabel?: string
  page(page: number): Button
  choose(bundleId: number): Button
}

const singleWays = (network: string, phone: Phone | null): BundleWays => ({
  text: buyTexts.chooseBundle(network, phone),
  back: phone ? { do: 'networks_for', phone } : { do: 'all_networks' },
  page: (page) => (phone ? { do: 'bundles_for', network, phone, page } : { do: 'bundles', network, page }),
  choose: (bundleId) => ({ do: 'bundle', bundleId, phone }),
})

/** A button for each bundle of a network. */
export const bundlesScreen = (
  list: ListedBundle[],
  network: string,
  page: number,
  ways: BundleWays,
): Screen => {
  const sold = bundlesOf(list, network)
  const back: Key = key(ways.backLabel ?? labels.back, ways.back)
  if (sold.length === 0) return { text: bundleTexts.noBundles(network), rows: [[back, leaveKey]] }
  const keys = sold
    .slice(page * perPage, (page + 1) * perPage)
    .map((bundle) => key(bundleLabel(bundle, sold), ways.choose(bundle.id)))
  const paging: Key[] = [
    ...(page > 0 ? [key(labels.previous, ways.page(page - 1))] : []),
    ...((page + 1) * perPage < sold.length ? [key(labels.next, ways.page(page + 1))] : []),
  ]
  return { text: ways.text, rows: [...inPairs(keys), paging, [back, leaveKey]] }
}

/** Two a row where both are short enough to be read on a small screen. */
const inPairs = (keys: Key[]): Key[][] => {
  const wide = keys.some(({ label }) => label.length > 20)
  return wide
    ? keys.map((each) => [each])
    : keys.flatMap((_, index) => (index % 2 === 0 ? [keys.slice(index, index + 2)] : []))
}

/** Step 3: a bundle was chosen; asks for the number, or shows the card where it is known. */
export const chooseByButton = async (
  ctx: BotContext,
  services: Services,
  bundleId: number,
  phone: Phone | null,
  keep: boolean,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.show(needAccount)
    return
  }
  if (!(await mayOrder(ctx, services, person))) return
  if (phone && (await showEarlier(ctx, services, pressCause(ctx, bundleId, phone)))) return
  if (phone) {
    withPrices(ctx, services, person, async (bundles, offered) => {
      const bundle = bundles.find(({ id }) => id === bundleId)
      if (!bundle) ctx.talk.show(networksScreen(bundleTexts.bundleGone, phone))
      else if (keep || (await mayBelong(services, person, bundle.network, phone))) {
        if (keep) await keepNumber(services, person, phone, bundle.network)
        await offer(ctx, services, person, pressCause(ctx, bundleId, phone), offered(bundle), phone)
      } else {
        const { likely } = await buyerOf(services, person, phone)
        ctx.talk.show(mismatchScreen(bundles, bundle, phone, likely))
      }
    })
    return
  }
  // The number may come at once, so the question is committed before the price list is read for its words.
  await askNext(ctx, { what: 'phone', bundleId })
  withPrices(ctx, services, person, async (bundles) => {
    const bundle = bundles.find(({ id }) => id === bundleId)
    if (!bundle) ctx.talk.show(networksScreen(bundleTexts.bundleGone))
    else
      ctx.talk.show(
        phoneScreen(bundle, offerNameOf(bundle, bundles), await customerKeys(services, person, bundle)),
      )
  })
}

const phoneScreen = (
  { network, volume, pricePesewas }: ListedBundle,
  offerSlug: string | null,
  customers: Key[][],
): Screen => ({
  text: [
    buyTexts.askPhone(bundleTexts.bundleName(network, volume, offerSlug), pricePesewas),
    ...(customers.length > 0 ? [orTypeName] : []),
  ].join('\n'),
  rows: [...customers, [key(labels.back, { do: 'bundles', network, page: 0 }), leaveKey]],
})

/** Its offer, where network and size alone do not tell which bundle it is. */
const offerNameOf = (bundle: ListedBundle, among: readonly ListedBundle[]): string | null =>
  among.some((other) => isTwin(other, bundle)) ? bundle.offerSlug : null

/** Step 4: the number. What is no number keeps the question. */
export const takePhone = async (
  ctx: BotContext,
  services: Services,
  bundleId: number,
  text: string,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.say(needAccount)
    return
  }
  const phone = readPhone(text)?.phone ?? (await phoneByName(ctx, services, person, { bundleId, text }))
  if (!phone) return
  await forgetQuestion(ctx, services)
  if (await showEarlier(ctx, services, messageCause(ctx))) return
  if (!(await mayOrder(ctx, services, person))) return
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const bundle = bundles.find(({ id }) => id === bundleId)
    if (!bundle) ctx.talk.say(networksScreen(bundleTexts.bundleGone, phone))
    else if (await mayBelong(services, person, bundle.network, phone))
      await offer(ctx, services, person, messageCause(ctx), offered(bundle), phone)
    else {
      const { likely } = await buyerOf(services, person, phone)
      ctx.talk.say(mismatchScreen(bundles, bundle, phone, likely))
    }
  }
  withPrices(ctx, services, person, work, [[key(labels.tryAgain, { do: 'bundle', bundleId, phone })]])
}

/** What is no number may be a whole order, or the name of a customer; else it is said what is wrong. */
const phoneByName = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  { bundleId, text }: { bundleId: number; text: string },
): Promise<Phone | null> => {
  if (readRequest(text)) {
    await forgetQuestion(ctx, services)
    await buyByText(ctx, services, person, text)
    return null
  }
  const named = await namedThere(services, person, bundleId, text)
  if (named.kind === 'phone') return named.phone
  if (named.kind === 'several') ctx.talk.say({ text: named.text, rows: [...named.rows, [leaveKey]] })
  else if (named.kind === 'nobody') ctx.talk.say({ text: named.text, rows: [[leaveKey]] })
  else ctx.talk.say(buyTexts.notAPhone(text))
  return null
}

/** `Keep`: from now on the number is on that network, for this account. */
const keepNumber = async (
  { store, now }: Services,
  { accountId }: Person,
  phone: Phone,
  network: string,
): Promise<void> => store.transaction((tx) => keepOn(tx, accountId, { phones: [phone], network }, now()))

/** Nothing contradicts the network, or the number was served on it before. */
const mayBelong = async (
  { store }: Services,
  { accountId }: Person,
  network: string,
  phone: Phone,
): Promise<boolean> => {
  const likely = await likelyNetworks(store, accountId, phone)
  if (likely.length === 0 || likely.includes(network)) return true
  return (await store.orders.servedOn(accountId, [phone]))[phone]?.includes(network) === true
}

/** A number that seems to belong to another network is a question, never a refusal. */
const mismatchScreen = (
  bundles: ListedBundle[],
  chosen: ListedBundle,
  phone: Phone,
  likely: readonly string[],
): Screen => {
  const keep = [key(buyTexts.keepOn(chosen.network), { do: 'keep', bundleId: chosen.id, phone })]
  const isSame = (bundle: ListedBundle) => sameVolume(bundle, chosen)
  return questionOfNetwork(bundles, { chosen, keep, isSame, phone, likely })
}

/** The same where the network was written, and its bundle is not chosen yet. */
const contradictionScreen = (
  bundles: ListedBundle[],
  { network, size, phone, likely }: { network: string; size: Size; phone: Phone; likely: readonly string[] },
): Screen => {
  const isSame = (bundle: ListedBundle) => hasSize(bundle, size)
  const sold = bundles.filter((bundle) => bundle.network === network && isSame(bundle))
  // Of several offers each has a button: so it is asked about but once.
  const keep = sold.map((bundle) =>
    key(
      sold.length === 1
        ? buyTexts.keepOn(network)
        : `${buyTexts.keepOn(network)} ${bundleLabel(bundle, bundles)}`,
      { do: 'keep', bundleId: bundle.id, phone },
    ),
  )
  const all = key(buyTexts.keepOn(network), { do: 'bundles_for', network, phone, page: 0 })
  const chosen = { network, volume: `${size.amount}${size.unit}` }
  return questionOfNetwork(bundles, {
    chosen,
    keep: keep.length > 0 ? keep : [all],
    isSame,
    phone,
    likely,
  })
}

const questionOfNetwork = (
  bundles: ListedBundle[],
  {
    chosen,
    keep,
    isSame,
    phone,
    likely,
  }: {
    chosen: Pick<ListedBundle, 'network' | 'volume'>
    keep: Key[]
    isSame: (bundle: ListedBundle) => boolean
    phone: Phone
    likely: readonly string[]
  },
): Screen => {
  const switches = likely.map((network) => {
    const [only, more] = bundles.filter((bundle) => bundle.network === network && isSame(bundle))
    return only && !more
      ? key(buyTexts.switchTo(network, only.volume, only.pricePesewas), {
          do: 'keep',
          bundleId: only.id,
          phone,
        })
      : key(buyTexts.switchTo(network, null, null), { do: 'bundles_for', network, phone, page: 0 })
  })
  const bundle = bundleTexts.bundleName(chosen.network, chosen.volume)
  return {
    text: buyTexts.otherNetwork(phone, bundle, likely.join(' or ')),
    rows: [...[...keep, ...switches].map((each) => [each]), [leaveKey]],
  }
}

const sameVolume = (a: ListedBundle, b: ListedBundle): boolean => {
  const [left, right] = [readSize(a.volume), readSize(b.volume)]
  return left !== null && right !== null ? isSameSize(left, right) : a.volume === b.volume
}

/** Step 5: the card to confirm. */
const offer = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  cause: string,
  chosen: Offer,
  phone: Phone,
): Promise<void> => {
  const pricedAt = services.prices.readAt(person.accountId)
  const purchase = await services.purchases.draft(person, cause, [{ ...chosen, phone, pricedAt }])
  if (person.role === 'owner') await services.freshenBalance(person.accountId, chosen.pricePesewas)
  showCardOnce(ctx, services, 'show', purchase.id)
}

/** What is confirmed of a bundle of the list, with what it costs. */
type Offered = (bundle: Pick<ListedBundle, 'id'>) => Offer

/**
 * Reads the account's price list and goes on with it as the person sees it; what cannot be read is said.
 * @param instead buttons for then, where there is none yet to press again.
 */
export const withPrices = (
  ctx: BotContext,
  services: Services,
  person: Person,
  work: (bundles: ListedBundle[], offered: Offered) => Promise<void>,
  instead: Key[][] = [],
): void =>
  withCosts(
    ctx,
    services,
    person,
    async (bundles) => {
      const { seen } = await pricesSeenBy(services.store, person, bundles)
      const offered: Offered = ({ id }) => {
        const bundle = bundles.find((each) => each.id === id)
        if (!bundle) throw new Error(`The bundle ${id} is not in the list.`)
        return offerOf(bundle, bundles)
      }
      await work(bundlesSeen(seen ? { bundles, seen } : { bundles }), offered)
    },
    instead,
  )

/** The same with what the bundles cost: for owners, and where nothing of it is shown. */
export const withCosts = (
  ctx: BotContext,
  services: Services,
  person: Person,
  work: (bundles: Bundle[]) => Promise<void>,
  instead: Key[][] = [],
): void => {
  ctx.talk.aside(async () => {
    try {
      const { bundles } = await services.prices.list(person.accountId, 'person')
      await work(bundles)
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
      services.onNotice()
      ctx.talk.say({
        text: unreadableTexts.cannotRead(unreadableTexts.readable.bundles, error),
        rows: instead,
      })
    }
  })
}

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
  withPrices(ctx, services, person, async (list) =>
    ctx.talk.say(pricesScreen(list, network, await services.store.shops.of(person.accountId), person)),
  )
}

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
  withPrices(ctx, services, person, async (list) =>
    ctx.talk.show(pricesScreen(list, network, await services.store.shops.of(person.accountId), person)),
  )
}

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
