import type { ListedBundle } from '../lists/listed-bundle.ts'
import type { Answers, ListReading, ReadRecipient } from '../lists/reading.ts'
import type { Bundle } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { PricesSeen } from '../shop/agent-prices.ts'
import type { PrefixChanges } from './network-prefixes.ts'

/** A pasted list or a file, and all that its preview is computed from. */
export interface List {
  purchaseId: string
  text: string
  answers: ListAnswers
  /** The bundle that the flow had fixed before the list was sent. */
  fixedBundleId: number | null
  shown: Shown
}

export interface ListAnswers {
  /** To the questions that the reading asks. */
  questions: Answers
  /** Whether to order what was ordered minutes ago once more. */
  recent: 'skip' | 'order'
  /** Only as much as the balance allows. */
  fits: boolean
  /** Of the rest of a list: what was ready in it before, which is ordered or was skipped (`doneKey`). */
  done?: readonly string[]
}

export const noAnswers: ListAnswers = { questions: {}, recent: 'skip', fits: false }

/** What the person saw when they confirmed: another price list or balance makes another preview. */
export interface Shown {
  /** With what they cost the wallet. */
  bundles: Bundle[]
  /** What an agent sees in place of the costs; absent where the costs are seen. */
  seen?: PricesSeen
  /** What there is to spend: the wallet's balance, or what is left of an agent's limit of the day. */
  balancePesewas: Pesewas | null
  /** When the wallet's balance was read, ms since 1970. */
  balanceAtMs?: number | null
  /** An agent's limit of the day, null for one without; absent where the wallet's balance is meant. */
  limitPesewas?: Pesewas | null
  /** The agent may not know what is left of it: costs that they do not see are in it. */
  isLeftHidden?: boolean
  /** The networks that an agent may order on; absent where all are allowed. */
  networks?: readonly string[]
  /** When the prices were read, ms since 1970. */
  pricedAtMs?: number | null
  /** Prices that were confirmed and have changed since, by bundle. */
  confirmedPrices?: readonly Pick<Bundle, 'id' | 'pricePesewas'>[]
  /** The same of the prices that an agent saw. */
  confirmedSeen?: PricesSeen
  recent: RecentOrder[]
  /** The networks on which numbers of the list were served before. */
  served?: Readonly<Record<string, readonly string[]>>
  /** What operators have changed of the map of prefixes, and the numbers that were kept on a network. */
  prefixes?: PrefixChanges
  ported?: Readonly<Record<string, string>>
  /** Networks that take no new orders now: what is on them is left out, and stays behind. */
  down?: readonly string[]
  /** Numbers of the list with an open order: theirs wait for it. */
  waiting: Phone[]
}

export const nothingShown: Shown = { bundles: [], balancePesewas: null, recent: [], waiting: [] }

/** The same bundle for the same phone, ordered minutes ago or still open. */
interface RecentOrder {
  phone: Phone
  bundleId: number
  orderId: string
  reference: string | null
}

/** What Confirm orders, and what it leaves out. */
export interface Selection {
  send: ReadRecipient[]
  /** Done with the list of which this is the rest. */
  done: ReadRecipient[]
  /** Ordered minutes ago, or still open: skipped unless the person says otherwise. */
  repeats: { recipient: ReadRecipient; reference: string | null }[]
  /** On networks that the agent may not order on: left out. */
  barred: ReadRecipient[]
  /** On networks that take no new orders now: left out. */
  down: ReadRecipient[]
  /** More than the balance allows. */
  cut: ReadRecipient[]
  /** What all that is asked for costs, whether the balance allows it or not; null where prices of it are not seen. */
  neededPesewas: Pesewas | null
  /** What is to be sent costs; null where prices of it are not seen. */
  totalPesewas: Pesewas | null
  /** It is more than there is to spend, prices that are not seen counted. */
  isShort: boolean
  /** How many of what is to be sent would fit then; null where their count would tell a price that is not seen. */
  fitting: number | null
}

/** The price list as whoever orders sees it. */
export const bundlesSeen = ({ bundles, seen }: Pick<Shown, 'bundles' | 'seen'>): ListedBundle[] =>
  seen ? bundles.map((bundle) => ({ ...bundle, pricePesewas: seen[bundle.id] ?? null })) : bundles

/** What it costs the wallet. */
export const costsOf = ({ bundles }: Pick<Shown, 'bundles'>): ReadonlyMap<number, Pesewas> =>
  new Map(bundles.map(({ id, pricePesewas }) => [id, pricePesewas]))

/** What of a reading is ordered, by the answers that the person gave. */
export const select = (
  reading: Pick<ListReading, 'recipients'>,
  { recent, fits, done = [] }: ListAnswers,
  shown: Shown,
): Selection => {
  // The newest stands first, and is the one that is named.
  const references = new Map(shown.recent.toReversed().map((order) => [keyOf(order), order.reference]))
  const isDone = (
    (keys) => (recipient: ReadRecipient) =>
      keys.has(doneKey(recipient))
  )(new Set(done))
  const left = reading.recipients.filter((recipient) => !isDone(recipient))
  const isBarred = ({ network }: ReadRecipient) => shown.networks?.includes(network) === false
  const isDown = ({ network }: ReadRecipient) => shown.down?.includes(network) === true
  const allowed = left.filter((recipient) => !isBarred(recipient) && !isDown(recipient))
  const isRepeat = (recipient: ReadRecipient) => references.has(keyOf(recipient))
  const repeats = allowed.filter(isRepeat)
  const wanted = recent === 'order' ? allowed : allowed.filter((recipient) => !isRepeat(recipient))
  const costs = costsOf(shown)
  const spending = wanted.map(({ bundleId, pricePesewas }) => pricePesewas ?? costs.get(bundleId) ?? 0)
  const isHidden = shown.isLeftHidden === true || sumOf(wanted) === null
  const fitting = countWithin(spending, shown.balancePesewas ?? Number.POSITIVE_INFINITY)
  const count = fits && !isHidden ? countWithin(spending, shown.balancePesewas ?? 0) : wanted.length
  const send = wanted.slice(0, count)
  return {
    send,
    done: done.length > 0 ? reading.recipients.filter(isDone) : [],
    repeats: repeats.map((recipient) => ({
      recipient,
      reference: references.get(keyOf(recipient)) ?? null,
    })),
    barred: left.filter(isBarred),
    down: left.filter((recipient) => isDown(recipient) && !isBarred(recipient)),
    cut: wanted.slice(count),
    neededPesewas: sumOf(wanted),
    totalPesewas: sumOf(send),
    isShort: fitting < count,
    fitting: isHidden ? null : fitting,
  }
}

/** A line of the list with what it orders: corrected, it is another one. */
export const doneKey = ({ line, phone, bundleId }: ReadRecipient): string => `${line} ${phone} ${bundleId}`

const keyOf = ({ phone, bundleId }: { phone: Phone; bundleId: number }): string => `${phone}/${bundleId}`

/** Null where one of the prices is not seen. */
export const sumOf = (recipients: readonly { pricePesewas: Pesewas | null }[]): Pesewas | null =>
  recipients.reduce<number | null>(
    (sum, { pricePesewas }) => (sum === null || pricePesewas === null ? null : sum + pricePesewas),
    0,
  ) as Pesewas | null

/** How many from the top of the list the balance is enough for. */
const countWithin = (spending: readonly number[], balancePesewas: number): number => {
  let left = balancePesewas
  const short = spending.findIndex((pesewas) => {
    left -= pesewas
    return left < 0
  })
  return short === -1 ? spending.length : short
}
