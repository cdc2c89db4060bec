import { type Pesewas, pesewasFromGhs } from '../../provider/money.ts'
import type { SizeItem } from '../reading/grammar/item.ts'
import { readNetwork } from '../reading/grammar/network-word.ts'
import type { Pair } from '../reading/written-line.ts'
import type { Answers, Note, Problem } from '../reading-result.ts'
import { isSameSize, readSize, type Size, writtenSize } from '../size.ts'
import type { ListedBundle } from './listed-bundle.ts'
import type { PriceIndex } from './price-index.ts'
import { answerTo, type Doubt } from './question.ts'

export type Outcome =
  | { kind: 'bundle'; bundle: ListedBundle; notes: readonly Note[] }
  | { kind: 'fault'; problem: Problem }
  | { kind: 'asked'; doubts: Doubt[] }
  | { kind: 'dropped' }
  /** An earlier line has the same number and bundle, and only that line is kept. */
  | { kind: 'repeated'; line: number }

/** The size and the amount of money next to it, once it is clear which is which. */
interface Terms {
  size: Size | null
  amount: Pesewas | null
  /** Whether the amount may be the size, and the size the amount. */
  isAmountDoubtful: boolean
}

/**
 * Decides what one number gets, from its lines, the price list and the person's answers. A number that can be read
 * in several ways gets a fault or a question, never a guess.
 */
export const outcomeOf = (written: Pair, priceIndex: PriceIndex, answers: Answers): Outcome => {
  const { fixed } = priceIndex
  if (written.headingLost && !fixed) return fault({ code: 'heading_lost' })
  const pair = settled(written, priceIndex, answers)
  if ('kind' in pair) return pair
  const likely = priceIndex.likely(pair.phone)
  const unclear = unclearNetwork(pair, likely, priceIndex)
  if (unclear) return fault(unclear)
  const networks = networksFor(pair, likely, fixed)
  const terms = termsOf(pair, fixed ? [...networks, fixed.network] : networks, priceIndex)
  if ('code' in terms) return fault(terms)
  const outcome = fixed
    ? chosenOutcome(pair, fixed, terms, networks, priceIndex, answers)
    : namedOutcome(pair, terms.size, { networks, likely }, priceIndex, answers)
  return outcome.kind === 'bundle' ? withNotes(outcome, pair, terms, likely) : outcome
}

const fault = (problem: Problem): Outcome => ({ kind: 'fault', problem })
const asked = (...doubts: Doubt[]): Outcome => ({ kind: 'asked', doubts })
const none: readonly never[] = []
type Bought = Extract<Outcome, { kind: 'bundle' }>
const bought = (bundle: ListedBundle): Bought => ({ kind: 'bundle', bundle, notes: none })

/**
 * Applies the person's answers to the doubts about the number's heading, unit and count. Returns the number without
 * these doubts, or the outcome if an answer is missing or leaves the number out.
 */
const settled = (pair: Pair, priceIndex: PriceIndex, answers: Answers): Pair | Outcome => {
  const doubts = doubtsIn(pair, priceIndex)
  if (doubts.length === 0) return pair
  const open = doubts.filter((doubt) => answerTo(doubt, answers) === null)
  if (open.length > 0) return asked(...open)
  const given = new Map(doubts.map((doubt) => [doubt.kind, answerTo(doubt, answers) ?? '']))
  if ([...given.values()].includes('drop')) return { kind: 'dropped' }
  const heading = given.get('heading')
  const network = heading === undefined ? null : readNetwork(heading)
  const unit = given.get('unit') === 'MB' ? 'MB' : 'GB'
  return {
    ...pair,
    sizes: pair.sizes.map((size) =>
      size.doubt === 'unit' ? { ...size, size: { ...size.size, unit } } : size,
    ),
    network: network ? { network, isSure: true, written: network } : pair.network,
  }
}

const doubtsIn = ({ phone, network, sizes, unknownHeading }: Pair, priceIndex: PriceIndex): Doubt[] => {
  const doubts: Doubt[] = []
  const { fixed } = priceIndex
  const first = sizes[0]?.size ?? null
  if (unknownHeading !== null && !network && !fixed) {
    const sold = priceIndex.networks.filter(
      (each) => first === null || priceIndex.ofSize(each, first).length > 0,
    )
    doubts.push({ kind: 'heading', heading: unknownHeading, networks: priceIndex.networks, sold })
  }
  for (const { doubt, size, written } of sizes) {
    if (doubt === 'times') doubts.push({ kind: 'times', size })
    if (doubt !== 'unit') continue
    const networks = network ? [network.network] : priceIndex.likely(phone)
    const sold = (['MB', 'GB'] as const).filter((unit) =>
      canBuy(networks, { amount: size.amount, unit }, priceIndex),
    )
    doubts.push({ kind: 'unit', written, sold })
  }
  return doubts
}

/**
 * Whether the network's word may mean something else or belong to another number, and the prefix does not confirm
 * it.
 */
const isDoubted = ({ network }: Pair, likely: readonly string[]): boolean =>
  network !== null && !network.isSure && !likely.includes(network.network)

/**
 * The network named below the number, if the number's prefix fits it as well as the network named above. Then the
 * number may belong to either heading. Null in all other cases.
 */
const otherHeading = ({ network, networkBelow }: Pair, likely: readonly string[]): string | null => {
  const below = networkBelow?.network
  if (!network || network.isSure || !below || below === network.network) return null
  return likely.includes(network.network) && likely.includes(below) ? below : null
}

/**
 * An unclear network becomes a question if there are two networks to choose from. Otherwise it is a fault, which is
 * returned.
 */
const unclearNetwork = (pair: Pair, likely: readonly string[], priceIndex: PriceIndex): Problem | null => {
  const { phone, network, sizes } = pair
  const { fixed } = priceIndex
  if (!network) return null
  if (isDoubted(pair, likely)) {
    const isOfTwo = !fixed || fixed.network === network.network || likely.includes(fixed.network)
    return likely.length > 0 && isOfTwo ? null : { code: 'network_unclear', written: network.written, phone }
  }
  const below = otherHeading(pair, likely)
  const size = sizes.length === 1 ? (sizes[0]?.size ?? null) : null
  const isOfTwo = below !== null && [network.network, below].every((each) => canBuy([each], size, priceIndex))
  return below === null || isOfTwo ? null : { code: 'network_unclear', written: below, phone }
}

/**
 * The networks that the number may have. A doubtful word is ignored if it names the chosen bundle's network; then
 * the prefix decides.
 */
const networksFor = (
  pair: Pair,
  likely: readonly string[],
  fixed: ListedBundle | null,
): readonly string[] => {
  const { network } = pair
  if (!network || (network.network === fixed?.network && isDoubted(pair, likely))) return likely
  const below = otherHeading(pair, likely)
  return below === null ? [network.network] : [network.network, below]
}

const termsOf = (pair: Pair, networks: readonly string[], priceIndex: PriceIndex): Terms | Problem => {
  const [first, second, third] = pair.sizes
  const amount = pair.amount?.pesewas ?? null
  if (!second)
    return { size: first?.size ?? null, amount, isAmountDoubtful: mayBeSize(pair, networks, priceIndex) }
  const prices = [
    first && !third && amount === null ? priceIn(first, second, networks, priceIndex) : null,
    first && !third && amount === null ? priceIn(second, first, networks, priceIndex) : null,
  ].filter((terms) => terms !== null)
  const [only] = prices
  if (only && prices.length === 1) return only
  const paid = first && !third && amount === null ? paidIn(first, second, networks, priceIndex) : null
  return paid ?? { code: 'two_sizes', written: pair.sizes.map(({ written }) => written).slice(0, 5) }
}

/**
 * Reads `10GB 42.75` as a size and an amount: a bare number with two decimals next to a size with a unit is money,
 * even if it is not the price. Null for any other pair, and if the money may also be a size that is sold.
 */
const paidIn = (
  first: SizeItem,
  second: SizeItem,
  networks: readonly string[],
  priceIndex: PriceIndex,
): Terms | null => {
  const [size, paid] = first.hasUnit ? [first, second] : [second, first]
  if (!size.hasUnit || paid.hasUnit || !twoDecimals.test(paid.written)) return null
  if (networks.some((network) => priceIndex.ofSize(network, paid.size).length > 0)) return null
  const amount = pesewasFromGhs(paid.written)
  return amount === null ? null : { size: size.size, amount, isAmountDoubtful: false }
}

const twoDecimals = /^\d{1,5}\.\d\d$/

/** The size and the amount of a number, if its lines and the price list tell which is which. */
export const writtenTerms = (pair: Pair, priceIndex: PriceIndex): Pick<Terms, 'size' | 'amount'> => {
  const [first, second] = pair.sizes
  const amount = pair.amount?.pesewas ?? null
  if (!first || !second) return { size: first?.size ?? null, amount }
  const networks = pair.network ? [pair.network.network] : priceIndex.likely(pair.phone)
  const terms = termsOf(pair, networks, priceIndex)
  return 'code' in terms ? { size: null, amount } : terms
}

/** Whether the amount may be a size: `2 GHS 10` may mean two cedis and 10GB, if 10GB is sold. */
const mayBeSize = ({ amount }: Pair, networks: readonly string[], priceIndex: PriceIndex): boolean =>
  amount?.isBetween === true &&
  networks.some(
    (network) => priceIndex.ofSize(network, { amount: amount.pesewas / 100, unit: 'GB' }).length > 0,
  )

/**
 * The size and its price, if the second number is exactly the price of the first and is not a size that is sold;
 * otherwise null.
 */
const priceIn = (
  size: SizeItem,
  price: SizeItem,
  networks: readonly string[],
  priceIndex: PriceIndex,
): Terms | null => {
  const amount = price.hasUnit ? null : pesewasFromGhs(String(price.size.amount))
  const isPrice = networks.some((network) =>
    priceIndex
      .ofSize(network, size.size)
      .some(({ pricePesewas }) => amount !== null && pricePesewas === amount),
  )
  const isSold = networks.some((network) => priceIndex.ofSize(network, price.size).length > 0)
  return isPrice && !isSold ? { size: size.size, amount, isAmountDoubtful: false } : null
}

/**
 * The outcome if no bundle was chosen before the list. If the prefix contradicts the written network, the person is
 * asked, because people keep their number when they change networks.
 */
const namedOutcome = (
  pair: Pair,
  size: Size | null,
  { networks, likely }: { networks: readonly string[]; likely: readonly string[] },
  priceIndex: PriceIndex,
  answers: Answers,
): Outcome => {
  const { phone } = pair
  const named = pair.network?.network
  const isKnown =
    named === undefined ||
    likely.length === 0 ||
    likely.includes(named) ||
    (priceIndex.hasServed(phone, named) && !isDoubted(pair, likely))
  if (isKnown) return freeOutcome(pair, size, networks, priceIndex, answers)
  const doubt: Doubt = {
    kind: 'contradiction',
    network: named,
    likely,
    canSwitch: canBuy(likely, size, priceIndex),
  }
  switch (wordIn(answerTo(doubt, answers), ['keep', 'switch', 'drop'])) {
    case 'keep':
      return freeOutcome(pair, size, networks, priceIndex, answers)
    case 'switch':
      return freeOutcome(pair, size, likely, priceIndex, answers)
    case 'drop':
      return { kind: 'dropped' }
    default:
      return asked(doubt)
  }
}

const freeOutcome = (
  pair: Pair,
  written: Size | null,
  networks: readonly string[],
  priceIndex: PriceIndex,
  answers: Answers,
): Outcome => {
  if (networks.length === 0) return fault({ code: 'network_unknown', phone: pair.phone })
  if (written) return sizedOutcome(pair, written, networks, priceIndex, answers)
  const doubt: Doubt = { kind: 'size', networks }
  const size = readSize(answerTo(doubt, answers) ?? '')
  return size ? sizedOutcome(pair, size, networks, priceIndex, answers) : asked(doubt)
}

const sizedOutcome = (
  pair: Pair,
  size: Size,
  networks: readonly string[],
  priceIndex: PriceIndex,
  answers: Answers,
): Outcome => {
  const sells = (network: string) => priceIndex.ofSize(network, size).length > 0
  const first = networks.find(sells)
  if (first === undefined) {
    const network = networks.length === 1 ? (networks[0] ?? null) : null
    return fault({
      code: 'not_sold',
      phone: pair.phone,
      network,
      size,
      nearest: priceIndex.nearest(networks, size),
      ...inMegabytes(pair, size, networks, priceIndex),
    })
  }
  const selling = networks.length === 1 ? networks : networks.filter(sells)
  if (selling.length === 1) return offerOutcome(first, size, priceIndex, answers)
  const doubt: Doubt = { kind: 'network', networks: selling }
  const answer = answerTo(doubt, answers)
  const network = selling.find((each) => each === answer)
  return network === undefined ? asked(doubt) : offerOutcome(network, size, priceIndex, answers)
}

/** Suggests megabytes for a bare number such as `500`, if 500MB is sold. */
const inMegabytes = (
  pair: Pair,
  { amount, unit }: Size,
  networks: readonly string[],
  priceIndex: PriceIndex,
) => {
  const written = pair.sizes.find(({ size, hasUnit }) => size.amount === amount && !hasUnit)?.written
  const isSold = unit === 'GB' && canBuy(networks, { amount, unit: 'MB' }, priceIndex)
  return isSold && written !== undefined ? { written, suggestion: writtenSize({ amount, unit: 'MB' }) } : {}
}

const offerOutcome = (network: string, size: Size, priceIndex: PriceIndex, answers: Answers): Outcome => {
  const bundles = priceIndex.ofSize(network, size)
  const [only, another] = bundles
  if (only && !another) return bought(only)
  const doubt: Doubt = { kind: 'offer', network, size, bundles }
  const answer = answerTo(doubt, answers)
  const bundle = bundles.find(({ id }) => String(id) === answer)
  return bundle ? bought(bundle) : asked(doubt)
}

/**
 * The outcome if a bundle was chosen before the list. If the line has another size or network, the person is asked.
 */
const chosenOutcome = (
  pair: Pair,
  chosen: ListedBundle,
  { size }: Terms,
  networks: readonly string[],
  priceIndex: PriceIndex,
  answers: Answers,
): Outcome => {
  const own = readSize(chosen.volume)
  const other = size && !(own && isSameSize(size, own)) ? size : null
  const sizeDoubt: Doubt | null = other && {
    kind: 'other_size',
    chosen,
    size: other,
    canWrite: [...networks, chosen.network].some((network) => priceIndex.ofSize(network, other).length > 0),
  }
  const isKnown = networks.includes(chosen.network) || priceIndex.hasServed(pair.phone, chosen.network)
  const networkDoubt: Doubt | null = isKnown
    ? null
    : { kind: 'mismatch', chosen, likely: networks, canSwitch: canBuy(networks, other ?? own, priceIndex) }
  const sizeAnswer = sizeDoubt && wordIn(answerTo(sizeDoubt, answers), ['chosen', 'written', 'drop'])
  const networkAnswer =
    networkDoubt &&
    wordIn(
      answerTo(networkDoubt, answers),
      networks.length > 0 ? ['keep', 'switch', 'drop'] : ['keep', 'drop'],
    )
  if (sizeAnswer === 'drop' || networkAnswer === 'drop') return { kind: 'dropped' }
  const open = [sizeAnswer ? null : sizeDoubt, networkAnswer ? null : networkDoubt].filter(
    (doubt) => doubt !== null,
  )
  if (open.length > 0) return asked(...open)
  const wanted = sizeAnswer === 'written' ? other : own
  if (networkAnswer !== 'switch' && (wanted === own || !wanted)) return bought(chosen)
  return wanted
    ? sizedOutcome(
        pair,
        wanted,
        networkAnswer === 'switch' ? networks : [chosen.network],
        priceIndex,
        answers,
      )
    : fault({ code: 'unclear', written: chosen.volume })
}

const canBuy = (networks: readonly string[], size: Size | null, priceIndex: PriceIndex): boolean =>
  size !== null && networks.some((network) => priceIndex.ofSize(network, size).length > 0)

const wordIn = (answer: string | null, words: readonly string[]): string | null =>
  answer !== null && words.includes(answer) ? answer : null

const withNotes = (outcome: Bought, pair: Pair, terms: Terms, likely: readonly string[]): Outcome => {
  const { bundle } = outcome
  const { phone, zeroRestored } = pair
  const isElsewhere = likely.length > 0 && !likely.includes(bundle.network)
  const otherAmount = terms.amount === bundle.pricePesewas ? null : terms.amount
  if (!zeroRestored && !isElsewhere && otherAmount === null) return outcome
  if (otherAmount !== null && terms.isAmountDoubtful)
    return fault({
      code: 'two_sizes',
      written: [...pair.sizes.map(({ written }) => written), pair.amount?.written ?? ''],
    })
  const notes: Note[] = []
  if (zeroRestored) notes.push({ code: 'zero_restored', phone })
  if (isElsewhere) notes.push({ code: 'other_prefix', phone, network: bundle.network, likely })
  if (otherAmount !== null && bundle.pricePesewas !== null)
    notes.push({
      code: 'other_price',
      phone,
      writtenPesewas: otherAmount,
      pricePesewas: bundle.pricePesewas,
    })
  return { kind: 'bundle', bundle, notes: notes.length > 0 ? notes : none }
}
