import type { Evidence } from './evidence.ts'
import type { Claimant, Debit } from './matching.ts'

/** Which debits of a wallet belong to which orders of unknown outcome. Anything uncertain stays unpaired. */
export interface Pairing {
  pairs: { orderId: string; debit: Debit }[]
  /** Orders that a debit may belong to, but not for certain. They wait, and in the end a person decides. */
  doubtful: string[]
  /** Orders that no debit can belong to. */
  without: string[]
}

type Weigh = (claimant: Claimant, debit: Debit) => Evidence

interface Circumstances {
  /**
   * The key is used outside the bot too, so a debit that names none of the order's numbers may be somebody else's.
   */
  isShared: boolean
}

/**
 * Pairs claimants and debits.
 *
 * Claimants and debits that may belong together form a group. A group is paired, in order of time, if it has as many
 * debits as claimants, none of its claimants is being sent, and each debit names its order's numbers. If a debit names
 * none, the group is paired only if no other pairing is possible and the key is used only here. Otherwise the whole
 * group is doubtful.
 *
 * @param weigh returns the evidence of one debit about one claimant; called for each combination
 */
export const pair = (
  claimants: readonly Claimant[],
  debits: readonly Debit[],
  weigh: Weigh,
  circumstances: Circumstances,
): Pairing => {
  const result: Pairing = { pairs: [], doubtful: [], without: [] }
  for (const group of groupsOf(claimants, debits, rivals(weigh))) {
    const open = group.claimants.filter(({ sending }) => !sending)
    const matched = isEven(group) ? pairsOf(group, weigh, circumstances) : null
    if (matched) {
      result.pairs.push(...matched)
      continue
    }
    const isInDoubt = (claimant: Claimant) =>
      group.debits.length > 0 || debits.some((debit) => weigh(claimant, debit).kind !== 'none')
    for (const claimant of open) {
      result[isInDoubt(claimant) ? 'doubtful' : 'without'].push(claimant.orderId)
    }
  }
  return result
}

type Belongs = (claimant: Claimant, debit: Debit) => boolean

const rivals =
  (weigh: Weigh): Belongs =>
  (claimant, debit) => {
    const evidence = weigh(claimant, debit)
    return evidence.kind === 'suspicious' ? evidence.isRival : evidence.kind !== 'none'
  }

interface Group {
  claimants: Claimant[]
  debits: Debit[]
}

const isEven = ({ claimants, debits }: Group): boolean =>
  debits.length > 0 && claimants.length === debits.length && !claimants.some(({ sending }) => sending)

const pairsOf = (group: Group, weigh: Weigh, { isShared }: Circumstances): Pairing['pairs'] | null => {
  const adoptable: Belongs = (claimant, debit) => {
    const { kind } = weigh(claimant, debit)
    return kind === 'adoptable' || kind === 'proven'
  }
  const matched = matchInTime(group, adoptable)
  if (!matched) return null
  const isNamed = ([debit, claimant]: Match): boolean => {
    const evidence = weigh(claimant, debit)
    return evidence.kind === 'proven' || (evidence.kind === 'adoptable' && evidence.names)
  }
  const isOnly = ([debit, claimant]: Match): boolean =>
    !matchInTime(group, (other, each) => {
      const isThis = each === debit && isTwin(other, claimant)
      return !isThis && adoptable(other, each)
    })
  const isCertain = (match: Match): boolean => isNamed(match) || (!isShared && isOnly(match))
  if (!matched.every(isCertain)) return null
  return matched.map(([debit, claimant]) => ({ orderId: claimant.orderId, debit }))
}

/**
 * Whether the two orders are interchangeable: they bought the same for the same numbers, so it does not matter
 * which of them gets a debit.
 */
const isTwin = (a: Claimant, b: Claimant): boolean =>
  a.kind === b.kind &&
  a.network === b.network &&
  a.volume === b.volume &&
  a.phones.toSorted().join() === b.phones.toSorted().join()

/** Groups the claimants and debits that are connected, directly or through others. */
const groupsOf = (claimants: readonly Claimant[], debits: readonly Debit[], belongs: Belongs): Group[] => {
  const left = new Set(claimants)
  const groups: Group[] = []
  for (const first of claimants) {
    if (!left.delete(first)) continue
    const group: Group = { claimants: [first], debits: [] }
    for (const claimant of group.claimants) {
      for (const debit of debits) {
        if (group.debits.includes(debit) || !belongs(claimant, debit)) continue
        group.debits.push(debit)
        for (const other of [...left]) {
          if (!belongs(other, debit)) continue
          left.delete(other)
          group.claimants.push(other)
        }
      }
    }
    groups.push(group)
  }
  return groups
}

type Match = [Debit, Claimant]

/** Gives each claimant a debit, earliest first; null if a claimant would be left without one. */
const matchInTime = ({ claimants, debits }: Group, belongs: Belongs): Match[] | null => {
  const free = debits.toSorted((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0))
  const order = claimants.toSorted((a, b) => a.notBeforeMs - b.notBeforeMs)
  const taken = new Map<Debit, Claimant>()
  for (const claimant of order) if (!augment(claimant, free, taken, belongs, new Set())) return null
  return [...taken]
}

/**
 * Gives the claimant a debit: a free one, or one whose claimant can take another (an augmenting path).
 * @returns false if there is none for it
 */
const augment = (
  claimant: Claimant,
  debits: Debit[],
  taken: Map<Debit, Claimant>,
  belongs: Belongs,
  tried: Set<Debit>,
): boolean => {
  const fitting = debits.filter((debit) => belongs(claimant, debit))
  const free = fitting.find((debit) => !taken.has(debit))
  if (free) {
    taken.set(free, claimant)
    return true
  }
  for (const debit of fitting) {
    const holder = taken.get(debit)
    if (!holder || tried.has(debit)) continue
    tried.add(debit)
    if (!augment(holder, debits, taken, belongs, tried)) continue
    taken.set(debit, claimant)
    return true
  }
  return false
}
