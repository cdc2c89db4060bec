import { readNetwork } from '../../lists/reading/grammar/network-word.ts'
import { type Network, networks } from '../../provider/network.ts'
import { isPhone } from '../../provider/phone.ts'
import { type HistorySearch, type HistoryState, historyStates } from '../../store/orders/history.ts'
import { type Codec, nullAs, oneOf, together } from './codec.ts'

/** The history's periods. Days and weeks begin at midnight in Accra, weeks on Monday. */
export const historyPeriods = ['all', 'today', 'yesterday', 'week'] as const

export type HistoryPeriod = (typeof historyPeriods)[number]

/** Which orders the history shows. A button carries the whole filter, so that it works whenever it is pressed. */
export interface HistoryFilter {
  state: HistoryState
  period: HistoryPeriod
  network: Network | null
  search: HistorySearch | null
}

export const noFilter: HistoryFilter = { state: 'all', period: 'all', network: null, search: null }

/** The states and periods that leave orders out. */
export const narrowStates = historyStates.filter((state) => state !== 'all')
export const narrowPeriods = historyPeriods.filter((period) => period !== 'all')

/** Whether the filter leaves orders out. */
export const isNarrowed = ({ state, period, network, search }: HistoryFilter): boolean =>
  state !== 'all' || period !== 'all' || network !== null || search !== null

/** Reads a filter as a person types it, such as `MTN yesterday`; null if any word has no meaning here. */
export const readFilter = (text: string): HistoryFilter | null => {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== 'this')
  const read = words.map((word): Partial<HistoryFilter> | null => {
    const state = narrowStates.find((each) => each === word)
    const period = narrowPeriods.find((each) => each === word)
    const network = readNetwork(word)
    return (state && { state }) ?? (period && { period }) ?? (network && { network })
  })
  return read.includes(null) ? null : Object.assign({}, noFilter, ...read)
}

/** How many characters at the end of a reference fit into a button. They are enough to identify it. */
const maxOfReference = 24

const isReferencePart = (text: string): boolean => /^[A-Z0-9-]{4,24}$/.test(text)

/** Reads a reference, or a part of one, as a person typed it; null if it cannot be a reference. */
export const readReferencePart = (text: string): string | null => {
  const part = text.trim().toUpperCase().replace(/\s+/g, '').slice(-maxOfReference)
  return /\d/.test(part) && isReferencePart(part) ? part : null
}

/** State and period, one letter each. */
const letters: Codec<Pick<HistoryFilter, 'state' | 'period'>> = {
  write: ({ state, period }) => [`${state.charAt(0)}${period.charAt(0)}`],
  read: ([text = '']) => {
    const state = historyStates.find((name) => name.charAt(0) === text.charAt(0))
    const period = historyPeriods.find((name) => name.charAt(0) === text.charAt(1))
    return state && period && { state, period }
  },
}

const search: Codec<HistorySearch> = {
  write: (value) => [value.by === 'phone' ? `p${value.phone}` : `r${value.part}`],
  read: ([text = '']) => {
    const [by, value] = [text.charAt(0), text.slice(1)]
    if (by === 'p' && isPhone(value)) return { by: 'phone', phone: value }
    return by === 'r' && isReferencePart(value) ? { by: 'reference', part: value } : undefined
  },
}

const narrowed = together({
  letters,
  network: nullAs('', oneOf(networks)),
  search: nullAs('', search),
})

/**
 * The letters of state and period, then the network and the search. If the filter is for all orders, no words are
 * written.
 */
export const historyFilter: Codec<HistoryFilter> = {
  write: (filter) => (isNarrowed(filter) ? narrowed.write({ letters: filter, ...filter }) : []),
  read: (words) => {
    if (words.length === 0) return noFilter
    const read = narrowed.read(words)
    return read && { ...read.letters, network: read.network, search: read.search }
  },
}
