import { isPhone } from '../../provider/phone.ts'
import { type HistorySearch, type HistoryState, historyStates } from '../../store/history.ts'

/** Since when: days and weeks begin at midnight in Accra, weeks on Monday. */
export const historyPeriods = ['all', 'today', 'week'] as const
export type HistoryPeriod = (typeof historyPeriods)[number]

/** What of the history is shown: a button of it carries all of this, so that it works whenever it is pressed. */
export interface HistoryFilter {
  state: HistoryState
  period: HistoryPeriod
  network: string | null
  search: HistorySearch | null
}

export const noFilter: HistoryFilter = { state: 'all', period: 'all', network: null, search: null }

const isAll = ({ state, period, network, search }: HistoryFilter): boolean =>
  state === 'all' && period === 'all' && network === null && search === null

/** Two letters, the network and what is searched for; nothing for all orders. */
export const wordsOfFilter = (filter: HistoryFilter | undefined): string[] =>
  filter === undefined || isAll(filter)
    ? []
    : [
        `${filter.state.charAt(0)}${filter.period.charAt(0)}`,
        filter.network ?? '',
        wordOfSearch(filter.search),
      ]

/** @returns undefined for all orders, null for what no button of this version carries. */
export const readFilter = ([letters = '', network = '', search = '']: string[]):
  | HistoryFilter
  | null
  | undefined => {
  if (letters === '') return undefined
  const state = historyStates.find((word) => word.startsWith(letters.charAt(0)))
  const period = historyPeriods.find((word) => word.startsWith(letters.charAt(1)))
  const found = search === '' ? null : readSearchWord(search)
  if (letters.length !== 2 || !state || !period || (network !== '' && !isFilterNetwork(network))) return null
  return found === null && search !== '' ? null : { state, period, network: network || null, search: found }
}

/** Whether a network's name fits into a button. */
export const isFilterNetwork = (name: string): boolean => /^[A-Za-z0-9 _-]{1,16}$/.test(name)

const wordOfSearch = (search: HistorySearch | null): string => {
  if (search === null) return ''
  return search.by === 'phone' ? `p${search.phone}` : `r${search.part}`
}

const readSearchWord = (word: string): HistorySearch | null => {
  const value = word.slice(1)
  if (word.startsWith('p')) return isPhone(value) ? { by: 'phone', phone: value } : null
  return word.startsWith('r') && isReferencePart(value) ? { by: 'reference', part: value } : null
}

/** As much of a reference as fits into a button tells it from all others. */
const mostOfReference = 24

const isReferencePart = (text: string): boolean => /^[A-Z0-9-]{4,24}$/.test(text)

/** A reference, or a part of one, as somebody wrote it; null for what can be none. */
export const readReferencePart = (text: string): string | null => {
  const part = text.trim().toUpperCase().replace(/\s+/g, '').slice(-mostOfReference)
  return /\d/.test(part) && isReferencePart(part) ? part : null
}
