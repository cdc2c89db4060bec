import type { ChangedLine } from '../lists/meaning/changed-line.ts'
import type { ListedBundle } from '../lists/meaning/listed-bundle.ts'
import type { NearTwin } from '../lists/meaning/near-twins.ts'
import type { PrefixChanges } from '../lists/meaning/prefix-line.ts'
import type { Answers, ListReading, Names, ReadRecipient } from '../lists/reading.ts'
import type { Bundle } from '../provider/index.ts'
import { type Pesewas, plus, zero } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { PricesSeen } from './agent-prices.ts'

/** A pasted list or a file, and all the data that its preview is computed from. */
export interface List {
  purchaseId: string
  text: string
  answers: ListAnswers
  /** The bundle that was chosen before the list was sent. */
  fixedBundleId: number | null
  shown: Shown
}

/** The person's choices about a list. */
export interface ListAnswers {
  /** The answers to the reading's questions. */
  questions: Answers
  /** Whether to order again the lines that were ordered minutes ago. */
  recent: 'skip' | 'order'
  /** Order only as much as the balance allows. */
  fits: boolean
  /** For the rest of a list: the lines that were ready before, and are no part of the rest (`doneKey`). */
  done?: readonly string[]
  /** Those of `done` that were not ordered. */
  unordered?: Unordered
  /** For the rest of a list: how much was left when it was last read. */
  left?: Left
  /** The lines that the last correction changed: it can be taken back. */
  corrected?: readonly ChangedLine[]
  /** The cause of the message with that correction. */
  correctedBy?: string
  /** The text as it was sent or edited last, once corrections have changed it. */
  sent?: string
  /** The caption of the file that it was sent as. */
  caption?: string
  /** The album that the file is part of (Telegram's `media_group_id`), where its caption is the album's. */
  album?: string
}

/** Lines that were left out when the first part of their list was ordered (`doneKey`). */
export interface Unordered {
  /** Skipped, because they were ordered minutes before or still open. */
  repeated: readonly string[]
  /** On networks that the agent may not use. */
  barred: readonly string[]
}

/** Of a list that was not ordered in part. */
export const noneUnordered: Unordered = { repeated: [], barred: [] }

/** What became of a number when the first part of its list was ordered. */
export type Fate = 'ordered' | keyof Unordered

/** How much of a list is still to do. */
export interface Left {
  /** Lines to correct, or that wait for an answer. */
  lines: number
  /** Numbers that are ready and were not ordered. */
  numbers: number
}

/** The choices of a new list: questions open, recent orders skipped, all of it ordered. */
export const noAnswers: ListAnswers = { questions: {}, recent: 'skip', fits: false }

/** The data that the person saw when they confirmed: another price list or balance makes another preview. */
export interface Shown {
  /** The bundles with their costs to the wallet. */
  bundles: Bundle[]
  /** The prices that an agent sees in place of the costs; absent if the costs are shown. */
  seen?: PricesSeen
  /** The money to spend: the wallet's balance, or the rest of an agent's limit of the day. */
  balancePesewas: Pesewas | null
  /** When the wallet's balance was read, ms since 1970. */
  balanceAtMs?: number | null
  /** An agent's limit of the day, null for one without; absent if the wallet's balance counts. */
  limitPesewas?: Pesewas | null
  /** The agent may not know how much of the limit is left, because costs hidden from them are in it. */
  isLeftHidden?: boolean
  /** The networks that an agent may order on; absent if all are allowed. */
  networks?: readonly string[]
  /** When the prices were read, ms since 1970. */
  pricedAtMs?: number | null
  /** Prices that were confirmed and have changed since, by bundle. */
  confirmedPrices?: readonly Pick<Bundle, 'id' | 'pricePesewas'>[]
  /** The same for the prices that an agent saw. */
  confirmedSeen?: PricesSeen
  recent: RecentOrder[]
  /** The networks on which numbers of the list were served before. */
  served?: Readonly<Record<string, readonly string[]>>
  /** The operators' changes to the map of prefixes, and the numbers saved with a network. */
  prefixes?: PrefixChanges
  ported?: Readonly<Record<string, string>>
  /** The saved names that the list means, with their numbers. */
  names?: Names
  /** Numbers of the list that are one slip of the finger from a known one, or from an earlier one of the list. */
  near?: readonly NearTwin[]
  /** Networks that take no new orders now: lines on them are left out, and stay behind. */
  down?: readonly string[]
  /** Numbers of the list with an open order: the new orders wait for it. */
  waiting: Phone[]
}

/** No prices, no balance, no earlier orders. */
export const nothingShown: Shown = { bundles: [], balancePesewas: null, recent: [], waiting: [] }

/** The same bundle for the same phone, ordered minutes ago or still open. */
interface RecentOrder {
  phone: Phone
  bundleId: number
  orderId: string
  reference: string | null
}

/** The lines that Confirm orders, and those that it leaves out. */
export interface Selection {
  send: ReadRecipient[]
  /** Lines that the first part of the list ordered or left out for good. */
  done: { recipient: ReadRecipient; fate: Fate }[]
  /** Ordered minutes ago, or still open: skipped unless the person chooses otherwise. */
  repeats: { recipient: ReadRecipient; reference: string | null }[]
  /** On networks that the agent may not use: left out. */
  barred: ReadRecipient[]
  /** On networks that take no new orders now: left out. */
  down: ReadRecipient[]
  /** Lines that the balance does not allow. */
  cut: ReadRecipient[]
  /**
   * The price of all wanted lines, whether the balance allows them or not; null if the person may not see all
   * of their prices.
   */
  neededPesewas: Pesewas | null
  /** The price of the lines in `send`; null if the person may not see all of their prices. */
  totalPesewas: Pesewas | null
  /** The lines in `send` cost more than there is to spend; prices that the person may not see count too. */
  isShort: boolean
  /** How many of the wanted lines the balance allows; null if that count would reveal a hidden price. */
  fitting: number | null
}

/** The price list as the buyer sees it. */
export const bundlesSeen = ({ bundles, seen }: Pick<Shown, 'bundles' | 'seen'>): ListedBundle[] =>
  seen ? bundles.map((bundle) => ({ ...bundle, pricePesewas: seen[bundle.id] ?? null })) : bundles

/** The costs to the wallet, by bundle id. */
export const costsOf = ({ bundles }: Pick<Shown, 'bundles'>): ReadonlyMap<number, Pesewas> =>
  new Map(bundles.map(({ id, pricePesewas }) => [id, pricePesewas]))

/** The lines of a reading that are ordered, by the person's choices. */
export const select = (
  reading: Pick<ListReading, 'recipients'>,
  { recent, fits, done = [], unordered = noneUnordered }: ListAnswers,
  shown: Shown,
): Selection => {
  // The newest order stands first in `recent`, and its reference is the one that is named.
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
    done: fatesOf(reading.recipients.filter(isDone), unordered),
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

const fatesOf = (recipients: ReadRecipient[], unordered: Unordered): Selection['done'] => {
  const [repeated, barred] = [new Set(unordered.repeated), new Set(unordered.barred)]
  return recipients.map((recipient) => {
    const key = doneKey(recipient)
    return { recipient, fate: repeated.has(key) ? 'repeated' : barred.has(key) ? 'barred' : 'ordered' }
  })
}

/** How much of a list is still to do. @param done what the first part of it ordered or left out. */
export const leftOf = (
  { lines, recipients }: Pick<ListReading, 'lines' | 'recipients'>,
  done: readonly unknown[],
): Left => ({
  lines: lines.filter(({ number, together, verdict }) => verdict === 'fix' && number === together[0]).length,
  numbers: recipients.length - done.length,
})

/** Identifies a line of the list by its number, phone and bundle: a corrected line gets another key. */
export const doneKey = ({ line, phone, bundleId }: ReadRecipient): string => `${line} ${phone} ${bundleId}`

const keyOf = ({ phone, bundleId }: { phone: Phone; bundleId: number }): string => `${phone}/${bundleId}`

/** The sum of the prices; null if one of them is hidden. */
export const sumOf = (recipients: readonly { pricePesewas: Pesewas | null }[]): Pesewas | null =>
  recipients.reduce<Pesewas | null>(
    (total, { pricePesewas }) => (total === null || pricePesewas === null ? null : plus(total, pricePesewas)),
    zero,
  )

/** How many lines from the top of the list the balance is enough for. */
const countWithin = (spending: readonly number[], balancePesewas: number): number => {
  let left = balancePesewas
  const short = spending.findIndex((pesewas) => {
    left -= pesewas
    return left < 0
  })
  return short === -1 ? spending.length : short
}
