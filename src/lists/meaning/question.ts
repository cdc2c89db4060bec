import type { Phone } from '../../provider/phone.ts'
import type { Answers, AskedNumber, Choice, Question } from '../reading-result.ts'
import { megabytesOf, readSize, type Size, writtenSize } from '../size.ts'
import type { ListedBundle } from './listed-bundle.ts'
import type { PriceIndex } from './price-index.ts'

/** An open question about one recipient. */
export type Doubt =
  | { kind: 'duplicates' }
  | { kind: 'size'; networks: readonly string[] }
  | { kind: 'network'; networks: readonly string[] }
  | { kind: 'offer'; network: string; size: Size; bundles: readonly ListedBundle[] }
  | { kind: 'mismatch'; chosen: ListedBundle; likely: readonly string[]; canSwitch: boolean }
  | { kind: 'contradiction'; network: string; likely: readonly string[]; canSwitch: boolean }
  | { kind: 'other_size'; chosen: ListedBundle; size: Size; canWrite: boolean }
  | { kind: 'unit'; written: string; sold: readonly Size['unit'][] }
  | { kind: 'times'; size: Size }
  | { kind: 'heading'; heading: string; networks: readonly string[]; sold: readonly string[] }

/** Doubts with the same key become one question. */
export const keyOf = (doubt: Doubt): string => {
  switch (doubt.kind) {
    case 'network':
      return `network:${doubt.networks.join('|')}`
    case 'offer':
      return `offer:${doubt.network} ${writtenSize(doubt.size)}`
    case 'contradiction':
      return `contradiction:${doubt.network}|${doubt.likely.join('|')}`
    case 'heading':
      return `heading:${doubt.heading}`
    default:
      return doubt.kind
  }
}

/** The person's answer to a doubt; null if there is none. */
export const answerTo = (doubt: Doubt, answers: Answers): string | null => {
  const key = keyOf(doubt)
  return Object.hasOwn(answers, key) ? (answers[key] ?? null) : null
}

/** The doubts of one question, and the number that each is about, in the order of the list. */
interface Asked {
  doubts: Doubt[]
  about: Doubted[]
}

export interface Doubted {
  phone: Phone
  /** Counted from 1. */
  line: number
  /** The earlier line with the same number; null if there is none or it does not matter. */
  first?: number | null
}

export interface Questions {
  ask(doubt: Doubt, about: Doubted): void
  all(priceIndex: PriceIndex): Question[]
}

/** `all` returns the questions in the order of their first doubt. */
export const createQuestions = (): Questions => {
  const asked = new Map<string, Asked>()
  return {
    ask: (doubt, about) => {
      const key = keyOf(doubt)
      const known = asked.get(key)
      known?.doubts.push(doubt)
      known?.about.push(about)
      if (!known) asked.set(key, { doubts: [doubt], about: [about] })
    },
    all: (priceIndex) => [...asked].map(([key, each]) => questionOf(key, each, priceIndex)),
  }
}

const questionOf = (key: string, { doubts, about }: Asked, priceIndex: PriceIndex): Question => {
  const lines = [...new Set(about.map(({ line }) => line))]
  const asked = { key, lines, count: doubts.length, whom: numbersOf(about) }
  const [doubt] = doubts
  if (!doubt) throw new RangeError('A question needs at least one doubt.')
  const of = <Kind extends Doubt['kind']>(kind: Kind) =>
    doubts.filter((each): each is Extract<Doubt, { kind: Kind }> => each.kind === kind)
  const choice = (answer: string, fits: number): Choice => ({ answer, fits })
  const all = (answer: string) => choice(answer, doubts.length)
  switch (doubt.kind) {
    case 'duplicates':
      return { ...asked, kind: doubt.kind, choices: [choice('one', 0), all('both')] }
    case 'size':
      return { ...asked, kind: doubt.kind, choices: sizeChoices(of('size'), priceIndex) }
    case 'network':
      return { ...asked, kind: doubt.kind, networks: [...doubt.networks], choices: doubt.networks.map(all) }
    case 'offer': {
      const { network, size } = doubt
      const bundles = [...doubt.bundles]
      return {
        ...asked,
        kind: doubt.kind,
        network,
        size,
        bundles,
        choices: bundles.map(({ id }) => all(String(id))),
      }
    }
    case 'mismatch': {
      const fits = of('mismatch').filter(({ canSwitch }) => canSwitch).length
      const likely = [...new Set(of('mismatch').flatMap((each) => each.likely))]
      const switches = fits > 0 ? [choice('switch', fits)] : []
      const choices = [all('keep'), ...switches, choice('drop', 0)]
      return { ...asked, kind: doubt.kind, chosen: doubt.chosen, likely, choices }
    }
    case 'contradiction': {
      const fits = of('contradiction').filter(({ canSwitch }) => canSwitch).length
      const { network, likely } = doubt
      const switches = fits > 0 ? [choice('switch', fits)] : []
      const choices = [all('keep'), ...switches, choice('drop', 0)]
      return { ...asked, kind: doubt.kind, network, likely: [...likely], choices }
    }
    case 'other_size': {
      const fits = of('other_size').filter(({ canWrite }) => canWrite).length
      const sizes = [...new Map(of('other_size').map(({ size }) => [writtenSize(size), size])).values()]
      const writtens = fits > 0 ? [choice('written', fits)] : []
      const choices = [all('chosen'), ...writtens, choice('drop', 0)]
      return { ...asked, kind: doubt.kind, chosen: doubt.chosen, sizes, choices }
    }
    case 'unit': {
      const sizes = [...new Set(of('unit').map(({ written }) => written))]
      const fits = (unit: Size['unit']) => of('unit').filter(({ sold }) => sold.includes(unit)).length
      const choices = [choice('MB', fits('MB')), choice('GB', fits('GB')), choice('drop', 0)]
      return { ...asked, kind: doubt.kind, sizes, choices }
    }
    case 'times': {
      const sizes = [...new Map(of('times').map(({ size }) => [writtenSize(size), size])).values()]
      return { ...asked, kind: doubt.kind, sizes, choices: [all('each'), choice('drop', 0)] }
    }
    case 'heading': {
      const { heading, networks } = doubt
      const fits = (network: string) => of('heading').filter(({ sold }) => sold.includes(network)).length
      const choices = [...networks.map((each) => choice(each, fits(each))), choice('drop', 0)]
      return { ...asked, kind: doubt.kind, heading, networks: [...networks], choices }
    }
  }
}

const numbersOf = (about: readonly Doubted[]): AskedNumber[] => {
  const numbers = new Map<Phone, number[]>()
  for (const { phone, line, first = null } of about) {
    const theirs = first === null ? [line] : [first, line]
    const known = numbers.get(phone)
    if (known) known.push(...theirs)
    else numbers.set(phone, theirs)
  }
  return [...numbers].map(([phone, all]) => ({ phone, lines: all.length > 1 ? [...new Set(all)] : all }))
}

/** The sizes that the recipients' networks sell, those that fit the most recipients first. */
const sizeChoices = (
  doubts: readonly { networks: readonly string[] }[],
  priceIndex: PriceIndex,
): Choice[] => {
  const groups = new Map<string, { networks: readonly string[]; count: number }>()
  for (const { networks } of doubts) {
    const key = networks.join('|')
    groups.set(key, { networks, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  const fits = new Map<string, number>()
  for (const { networks, count } of groups.values())
    for (const label of new Set(networks.flatMap((network) => priceIndex.sizesOf(network))))
      fits.set(label, (fits.get(label) ?? 0) + count)
  return [...fits]
    .map(([answer, each]): Choice => ({ answer, fits: each }))
    .sort((a, b) => b.fits - a.fits || megabytes(a.answer) - megabytes(b.answer))
}

const megabytes = (label: string): number => {
  const size = readSize(label)
  return size ? megabytesOf(size) : 0
}
