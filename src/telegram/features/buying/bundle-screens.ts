import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { isSameSize, megabytesOf, readSize, type Size, writtenSize } from '../../../lists/size.ts'
import { bundlesOf, isTwin } from '../../../orders/buying/prices.ts'
import { networks, type Phone } from '../../../provider/index.ts'
import { bundleNames } from '../../../shop/price-list.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import { type Button, button, inRows, leaveButton, type Screen } from '../../chat/screen.ts'
import * as bundleTexts from '../../words/bundle.ts'
import { labels } from '../../words/labels.ts'
import { ownNumberLabels } from './own-number-words.ts'
import * as buyTexts from './words.ts'
import { orTypeName } from './words.ts'

/** How many bundles have a button on a page. The last page may have one more. */
const perPage = 6

/** How many bundles a question offers, with `Cancel` as the eighth button. */
const maxOffers = 7

/** The number that gets the bundle, with what is known about it. */
export interface Buyer {
  phone: Phone
  /** The name that the number is saved with. */
  name: string | null
  /** The bundles that a saved contact got before, newest first. */
  bought: readonly number[]
  /** The networks that the number probably belongs to. */
  likely: readonly string[]
}

export type Choice =
  /** `asLastTime`: several bundles would fit, and this is what the number got last time. */
  { kind: 'bundle'; bundle: ListedBundle; asLastTime: boolean } | { kind: 'ask'; screen: Screen }

/**
 * The bundle for a number and a size, or the question that is still open. If several bundles fit, the one that the
 * number got last is taken.
 */
export const chooseBundle = (
  bundles: ListedBundle[],
  { phone, name, bought, likely }: Buyer,
  size: Size,
  network: string | null,
): Choice => {
  const candidates = network ? [network] : likely
  if (candidates.length === 0) {
    const sized = bundles.filter((bundle) => hasSize(bundle, size)).slice(0, maxOffers)
    const text = buyTexts.networkNotSold(phone)
    const rows = offerRows(sized, phone, true)
    return { kind: 'ask', screen: sized.length > 0 ? { text, rows } : networksScreen(text, phone) }
  }
  const sized = bundles.filter((bundle) => candidates.includes(bundle.network) && hasSize(bundle, size))
  const selling = [...new Set(sized.map((bundle) => bundle.network))]
  const label = writtenSize(size)
  const [only] = sized
  if (only && sized.length === 1) return { kind: 'bundle', bundle: only, asLastTime: false }
  const last = bought.find((bundleId) => sized.some(({ id }) => id === bundleId))
  const usual = sized.find(({ id }) => id === last)
  if (usual) return { kind: 'bundle', bundle: usual, asLastTime: true }
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

export const hasSize = (bundle: ListedBundle, size: Size): boolean => {
  const volume = readSize(bundle.volume)
  return volume !== null && isSameSize(volume, size)
}

/** The bundles whose sizes are closest to the wanted size by their ratio, smallest first. */
export const nearest = (bundles: ListedBundle[], size: Size): ListedBundle[] => {
  const distance = (bundle: ListedBundle) => {
    const volume = readSize(bundle.volume)
    return volume ? Math.abs(Math.log(megabytesOf(volume) / megabytesOf(size))) : Number.POSITIVE_INFINITY
  }
  return bundles
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, 4)
    .sort((a, b) => megabytesIn(a) - megabytesIn(b))
}

export const megabytesIn = ({ volume }: ListedBundle): number => {
  const size = readSize(volume)
  return size ? megabytesOf(size) : Number.POSITIVE_INFINITY
}

const offerRows = (bundles: ListedBundle[], phone: Phone, nameNetwork: boolean): Button[][] => [
  ...bundles.map((bundle) => {
    const label = bundleLabel(bundle, bundles)
    return [
      button(nameNetwork ? `${bundle.network} ${label}` : label, { do: 'keep', bundleId: bundle.id, phone }),
    ]
  }),
  [leaveButton],
]

/** The networks that a person is offered. */
export interface OfferedNetworks {
  /** The networks that the person may order on. */
  allowed?: readonly string[]
  /** The networks that are down. */
  down?: ReadonlyMap<string, Date>
  likely?: readonly string[]
}

/** Step 1: a button for each network, the likely ones first. */
export const networksScreen = (
  text: string,
  phone: Phone | null = null,
  { allowed = networks, down = new Map(), likely = [] }: OfferedNetworks = {},
): Screen => {
  const sorted = networks
    .filter((network) => allowed.includes(network))
    .sort((a, b) => Number(likely.includes(b)) - Number(likely.includes(a)))
  const buttons = sorted.map((network) =>
    button(
      buyTexts.networkLabel(network, down.has(network)),
      phone ? { do: 'bundles_for', network, phone, page: 0 } : { do: 'bundles', network, page: 0 },
    ),
  )
  return { text, rows: [...inRows(buttons, 2), [leaveButton]] }
}

/** The label of a bundle's button. It names the offer if the network has several bundles of that size. */
export const bundleLabel = (bundle: ListedBundle, among: readonly ListedBundle[]): string =>
  bundleTexts.bundleLabel(bundleNames(among).get(bundle.id) ?? bundle.volume, bundle.pricePesewas)

/** The text of a screen of bundles, and the presses that its buttons send. */
export interface BundleWays {
  text: string
  back: ButtonPress
  /** The label of `back`, if that does not lead to an earlier screen. */
  backLabel?: string
  /** The person's usual bundles, which come first. */
  usual?: readonly number[]
  page(page: number): ButtonPress
  choose(bundleId: number): ButtonPress
}

/**
 * The text and the presses of the bundle screen for an order of one number. @param phone null: the number is asked for
 * later.
 */
export const singleWays = (network: string, phone: Phone | null, isDown = false): BundleWays => ({
  text: buyTexts.chooseBundle(network, phone, isDown),
  back: phone ? { do: 'networks_for', phone } : { do: 'all_networks' },
  page: (page) => (phone ? { do: 'bundles_for', network, phone, page } : { do: 'bundles', network, page }),
  choose: (bundleId) => ({ do: 'bundle', bundleId, phone }),
})

/** A button for each bundle of a network, at most eight in all. `◀` on the first page is `Back`. */
export const bundlesScreen = (
  list: ListedBundle[],
  network: string,
  page: number,
  ways: BundleWays,
): Screen => {
  const { usual = [] } = ways
  const all = bundlesOf(list, network)
  const starred = usual.flatMap((id) => all.find((bundle) => bundle.id === id) ?? [])
  const sold = [...starred, ...all.filter((bundle) => !starred.includes(bundle))]
  const back = button(ways.backLabel ?? labels.back, ways.back)
  if (sold.length === 0) return { text: bundleTexts.noBundles(network), rows: [[back, leaveButton]] }
  const start = page * perPage
  const end = sold.length - start <= perPage + 1 ? sold.length : start + perPage
  const buttons = sold.slice(start, end).map((bundle) => {
    const label = bundleLabel(bundle, all)
    return button(starred.includes(bundle) ? buyTexts.usualLabel(label) : label, ways.choose(bundle.id))
  })
  const paging = [
    page > 0 ? button(labels.previous, ways.page(page - 1)) : back,
    ...(end < sold.length ? [button(labels.next, ways.page(page + 1))] : []),
  ]
  return { text: ways.text, rows: [...inTwo(buttons), paging] }
}

/** Two buttons in a row, but a label that is too long for half of a small screen has a row of its own. */
export const inTwo = (buttons: readonly Button[]): Button[][] => {
  const rows: Button[][] = []
  for (const each of buttons) {
    const row = rows.at(-1)
    const fits = row?.length === 1 && [...row, each].every(({ label }) => label.length <= 20)
    if (fits) row.push(each)
    else rows.push([each])
  }
  return rows
}

/** Asks for the number that gets the bundle. */
export const phoneScreen = (
  { id: bundleId, network, volume, pricePesewas }: ListedBundle,
  offerSlug: string | null,
  contacts: Button[][],
): Screen => ({
  text: [
    buyTexts.askPhone(bundleTexts.bundleName(network, volume, offerSlug), pricePesewas, network),
    ...(contacts.length > 0 ? [orTypeName] : []),
  ].join('\n'),
  rows: [
    ...contacts,
    [button(ownNumberLabels.ask, { do: 'own_number', bundleId })],
    [button(labels.back, { do: 'bundles', network, page: 0 }), leaveButton],
  ],
})

/** The name of the bundle's offer if another bundle has the same network and size; otherwise null. */
export const offerNameOf = (bundle: ListedBundle, among: readonly ListedBundle[]): string | null =>
  among.some((other) => isTwin(other, bundle)) ? bundle.offerSlug : null

/** The presses that the buttons of a question about a number's network send. */
export interface NetworkWays {
  /** Continues with the bundle, whatever network the number looks like. */
  choose(bundleId: number): ButtonPress
  /** Shows the network's bundles. */
  list(network: string): ButtonPress
}

const newOrderWays = (phone: Phone): NetworkWays => ({
  choose: (bundleId) => ({ do: 'keep', bundleId, phone }),
  list: (network) => ({ do: 'bundles_for', network, phone, page: 0 }),
})

/**
 * Asks which network is meant if the number looks like another network's. Numbers can move between networks, so this is
 * never refused.
 */
export const mismatchScreen = (
  bundles: ListedBundle[],
  chosen: ListedBundle,
  phone: Phone,
  likely: readonly string[],
  ways = newOrderWays(phone),
): Screen => {
  const keep = [button(buyTexts.keepOn(chosen.network), ways.choose(chosen.id))]
  const isSame = (bundle: ListedBundle) => sameVolume(bundle, chosen)
  return questionOfNetwork(bundles, { chosen, by: 'chose', keep, isSame, phone, likely, ways })
}

/** Like `mismatchScreen`, for a person who wrote the network and has not chosen a bundle. */
export const contradictionScreen = (
  bundles: ListedBundle[],
  { network, size, phone, likely }: { network: string; size: Size; phone: Phone; likely: readonly string[] },
): Screen => {
  const isSame = (bundle: ListedBundle) => hasSize(bundle, size)
  const sold = bundles.filter((bundle) => bundle.network === network && isSame(bundle))
  // Each of several offers has its own button, so that no second question is needed.
  const keep = sold.map((bundle) =>
    button(
      sold.length === 1
        ? buyTexts.keepOn(network)
        : `${buyTexts.keepOn(network)} ${bundleLabel(bundle, bundles)}`,
      { do: 'keep', bundleId: bundle.id, phone },
    ),
  )
  const all = button(buyTexts.keepOn(network), { do: 'bundles_for', network, phone, page: 0 })
  const chosen = { network, volume: writtenSize(size) }
  return questionOfNetwork(bundles, {
    chosen,
    by: 'wrote',
    keep: keep.length > 0 ? keep : [all],
    isSame,
    phone,
    likely,
    ways: newOrderWays(phone),
  })
}

const questionOfNetwork = (
  bundles: ListedBundle[],
  {
    chosen,
    by,
    keep,
    isSame,
    phone,
    likely,
    ways,
  }: {
    chosen: Pick<ListedBundle, 'network' | 'volume'>
    by: 'chose' | 'wrote'
    keep: Button[]
    isSame: (bundle: ListedBundle) => boolean
    phone: Phone
    likely: readonly string[]
    ways: NetworkWays
  },
): Screen => {
  const switches = likely.map((network) => {
    const [only, more] = bundles.filter((bundle) => bundle.network === network && isSame(bundle))
    return only && !more
      ? button(buyTexts.switchTo(network, only.volume, only.pricePesewas), ways.choose(only.id))
      : button(buyTexts.switchTo(network, null, null), ways.list(network))
  })
  const bundle = bundleTexts.bundleName(chosen.network, chosen.volume)
  return {
    text: buyTexts.otherNetwork(phone, bundle, {
      looksLike: likely.join(' or '),
      by,
      lacking: likely.filter((network) => !bundles.some((each) => each.network === network && isSame(each))),
    }),
    rows: [...[...keep, ...switches].map((each) => [each]), [leaveButton]],
  }
}

const sameVolume = (a: ListedBundle, b: ListedBundle): boolean => {
  const [left, right] = [readSize(a.volume), readSize(b.volume)]
  return left !== null && right !== null ? isSameSize(left, right) : a.volume === b.volume
}
