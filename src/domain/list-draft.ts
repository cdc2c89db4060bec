import type { ChangedLine } from '../lists/meaning/changed-line.ts'
import type { ListedBundle } from '../lists/meaning/listed-bundle.ts'
import type { NearTwin } from '../lists/meaning/near-twins.ts'
import type { PrefixChanges } from '../lists/meaning/prefix-line.ts'
import { answerTo } from '../lists/meaning/question.ts'
import type { Answers, ListReading, Names, ReadRecipient } from '../lists/reading-result.ts'
import { megabytesOf, readSize, type Size } from '../lists/size.ts'
import type { Bundle } from '../provider/index.ts'
import { type Pesewas, plus, zero } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { PricesSeen } from './selling/agent-prices.ts'

/** A pasted list or a file, with everything from which its preview is computed. */
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
  questions: Answers
  /** The questions whose answers came with the list, because the bot wrote it from earlier orders. */
  implied?: readonly string[]
  /** Whether to order again the lines that were ordered minutes ago. */
  recent: 'skip' | 'order'
  /** Whether to order only as many lines as the balance allows. */
  fits: boolean
  /**
   * Set if this list is the rest of another one, whose first part was ordered: the keys (`doneKey`) of the lines that
   * the first part ordered or left out.
   */
  done?: readonly string[]
  unordered?: Unordered
  /** For the rest of a list: how much was left to do when the list was last read. */
  left?: RestOfList
  /** The numbers that the person took in the network's own file, to order them without the bot: their `takenKey`s. */
  taken?: readonly string[]
  /** The lines that the last correction changed, so that it can be undone. */
  corrected?: readonly ChangedLine[]
  /** The id (`cause`) of the message with that correction. */
  correctedBy?: string
  /** The text as it was last sent or edited; set once corrections have changed it. */
  sent?: string
  /** The caption of the file, if the list was sent as a file. */
  caption?: string
  /** The album of the file (Telegram's `media_group_id`), if the caption belongs to the album. */
  album?: string
}

/** The keys (`doneKey`) of lines that were left out when the first part of their list was ordered. */
export interface Unordered {
  /** Skipped because the same bundle was ordered for the phone minutes before, or is still on order. */
  repeated: readonly string[]
  /** Left out because the agent may not order on the network. */
  barred: readonly string[]
}

export const noneUnordered: Unordered = { repeated: [], barred: [] }

/** What happened to a line when the first part of its list was ordered, or that it was `taken` in a file. */
export type Fate = 'ordered' | 'taken' | keyof Unordered

/** How much of a list is still to do. */
export interface RestOfList {
  /** Lines to correct, or with an unanswered question. */
  lines: number
  /** Numbers that are ready but not ordered. */
  numbers: number
}

/** The choices for a new list: no question answered, recent orders skipped, everything else ordered. */
export const noAnswers: ListAnswers = { questions: {}, recent: 'skip', fits: false }

/** The answers that the person gave, from the first to the last. */
export const givenAnswers = ({ questions, implied = [] }: ListAnswers): Answers =>
  Object.fromEntries(Object.entries(questions).filter(([key]) => !implied.includes(key)))

/**
 * The data from which the preview was last computed, so that the person confirms what they see. With other prices or
 * another balance, the preview would differ.
 */
export interface Shown {
  /** The bundles with their costs to the wallet. */
  bundles: Bundle[]
  /** The prices that an agent sees in place of the costs; absent if the costs are shown. */
  seen?: PricesSeen
  /** The money to spend: the wallet's balance, or what is left of an agent's daily limit. */
  balancePesewas: Pesewas | null
  /** When the wallet's balance was read, ms since 1970. */
  balanceAtMs?: number | null
  /** An agent's daily limit, null if they have none; absent if the wallet's balance counts. */
  limitPesewas?: Pesewas | null
  /**
   * The agent must not see how much of the limit is left, because it would reveal costs that are hidden from them.
   */
  isLeftHidden?: boolean
  /** The networks that an agent may order on; absent if all are allowed. */
  networks?: readonly string[]
  /** When the prices were read, ms since 1970. */
  pricedAtMs?: number | null
  /** The confirmed prices that have changed since, by bundle. */
  confirmedPrices?: readonly Pick<Bundle, 'id' | 'pricePesewas'>[]
  /** The changed prices (`confirmedPrices`) as an agent saw them. */
  confirmedSeen?: PricesSeen
  recent: RecentOrder[]
  /** By phone number of the list: the networks on which the account has ordered for it before. */
  served?: Readonly<Record<string, readonly string[]>>
  /** The operators' changes to the table of prefixes. */
  prefixes?: PrefixChanges
  ported?: Readonly<Record<string, string>>
  /** The saved names that occur in the list, with their numbers. */
  names?: Names
  /** Numbers of the list that differ by one typing slip from a known number, or from an earlier number in the list. */
  near?: readonly NearTwin[]
  /** Networks that are down. Lines on them are left out and stay in the rest of the list. */
  down?: readonly string[]
  /** Numbers of the list with an open order. Their new orders wait for it. */
  waiting: Phone[]
}

export const nothingShown: Shown = { bundles: [], balancePesewas: null, recent: [], waiting: [] }

/** An order of the same bundle for the same phone, made minutes ago or still open. */
interface RecentOrder {
  phone: Phone
  bundleId: number
  orderId: string
  reference: string | null
}

/** The lines that Confirm orders, and those that it leaves out. */
export interface Selection {
  send: ReadRecipient[]
  /** Lines that the first part of the list ordered or left out for good, and those that were taken in a file. */
  done: { recipient: ReadRecipient; fate: Fate }[]
  /**
   * Lines whose bundle and phone were ordered minutes ago, or are in an open order. Skipped unless the person chooses
   * otherwise.
   */
  repeats: { recipient: ReadRecipient; reference: string | null }[]
  /** Left out: the agent may not order on their network. */
  barred: ReadRecipient[]
  /** Left out: their network takes no orders now. */
  down: ReadRecipient[]
  /** Left out: the balance is too low for them. */
  cut: ReadRecipient[]
  /**
   * The price of all wanted lines, even those that the balance does not allow; null if the person may not see all
   * of their prices.
   */
  neededPesewas: Pesewas | null
  /** The price of the lines in `send`; null if the person may not see all of their prices. */
  totalPesewas: Pesewas | null
  /** The lines in `send` cost more than there is to spend, including costs that the person may not see. */
  isShort: boolean
  /** How many of the wanted lines the balance allows; null if the number would reveal a hidden price. */
  fitting: number | null
}

export const bundlesSeen = ({ bundles, seen }: Pick<Shown, 'bundles' | 'seen'>): ListedBundle[] =>
  seen ? bundles.map((bundle) => ({ ...bundle, pricePesewas: seen[bundle.id] ?? null })) : bundles

export const costsOf = ({ bundles }: Pick<Shown, 'bundles'>): ReadonlyMap<number, Pesewas> =>
  new Map(bundles.map(({ id, pricePesewas }) => [id, pricePesewas]))

/** Chooses the lines of a reading to order, by the person's answers. */
export const select = (
  reading: Pick<ListReading, 'recipients'>,
  { questions, recent, fits, done = [], unordered = noneUnordered, taken = [] }: ListAnswers,
  shown: Shown,
): Selection => {
  // `recent` has the newest order first. The map is filled in reverse, so that the newest reference wins.
  const references = new Map(shown.recent.toReversed().map((order) => [keyOf(order), order.reference]))
  const [doneKeys, takenKeys] = [new Set(done), new Set(taken)]
  const isTaken = (recipient: ReadRecipient) => takenKeys.has(takenKeyOf(recipient) ?? '')
  const isDone = (recipient: ReadRecipient) => doneKeys.has(doneKey(recipient)) || isTaken(recipient)
  const left = reading.recipients.filter((recipient) => !isDone(recipient))
  const isBarred = ({ network }: ReadRecipient) => shown.networks?.includes(network) === false
  const isDown = ({ network }: ReadRecipient) => shown.down?.includes(network) === true
  const allowed = left.filter((recipient) => !isBarred(recipient) && !isDown(recipient))
  // Whoever has answered that a number gets the same bundle twice is not asked again about the first part's order.
  const isTwiceMeant = answerTo({ kind: 'duplicates' }, questions) === 'both'
  const twice = new Set(isTwiceMeant ? reading.recipients.filter(isDone).map(keyOf) : [])
  const isRepeat = (recipient: ReadRecipient) =>
    references.has(keyOf(recipient)) && !twice.has(keyOf(recipient))
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
    done: fatesOf(reading.recipients.filter(isDone), unordered, isTaken),
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

const fatesOf = (
  recipients: ReadRecipient[],
  unordered: Unordered,
  isTaken: (recipient: ReadRecipient) => boolean,
): Selection['done'] => {
  const [repeated, barred] = [new Set(unordered.repeated), new Set(unordered.barred)]
  const fateOf = (recipient: ReadRecipient): Fate => {
    const key = doneKey(recipient)
    if (repeated.has(key)) return 'repeated'
    if (barred.has(key)) return 'barred'
    return isTaken(recipient) ? 'taken' : 'ordered'
  }
  return recipients.map((recipient) => ({ recipient, fate: fateOf(recipient) }))
}

export const leftOf = (
  { lines, recipients }: Pick<ListReading, 'lines' | 'recipients'>,
  done: readonly unknown[],
): RestOfList => ({
  lines: lines.filter(({ number, together, verdict }) => verdict === 'fix' && number === together[0]).length,
  numbers: recipients.length - done.length,
})

/** Identifies a line of the list by line number, phone and bundle. A corrected line gets another key. */
export const doneKey = ({ line, phone, bundleId }: ReadRecipient): string => `${line} ${phone} ${bundleId}`

/** Identifies a number with its size, whether or not there is a price for it. A corrected line gets another key. */
export const takenKey = (phone: Phone, size: Size): string => `${phone} ${megabytesOf(size)}`

const takenKeyOf = ({ phone, volume }: ReadRecipient): string | null => {
  const size = readSize(volume)
  return size && takenKey(phone, size)
}

const keyOf = ({ phone, bundleId }: { phone: Phone; bundleId: number }): string => `${phone}/${bundleId}`

/** The sum of the prices; null if one of them is hidden. */
export const sumOf = (recipients: readonly { pricePesewas: Pesewas | null }[]): Pesewas | null =>
  recipients.reduce<Pesewas | null>(
    (total, { pricePesewas }) => (total === null || pricePesewas === null ? null : plus(total, pricePesewas)),
    zero,
  )

/** How many orders, from the top of the list, the balance covers. */
const countWithin = (spending: readonly number[], balancePesewas: number): number => {
  let left = balancePesewas
  const short = spending.findIndex((pesewas) => {
    left -= pesewas
    return left < 0
  })
  return short === -1 ? spending.length : short
}
