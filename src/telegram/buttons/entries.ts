/** Which of the wallet's entries a button shows, and from where on; without a place the newest. */
export interface EntriesWish {
  filter: EntryFilter
  seek: Seek | null
}

export const entryFilters = ['all', 'debits', 'credits', 'unexplained'] as const
export type EntryFilter = (typeof entryFilters)[number]

/**
 * Where among the entries to look on: behind the marked one (towards older ones) or before it. The page is where it
 * stood; entries that have come since then have moved it further back.
 */
export interface Seek {
  way: 'older' | 'newer'
  page: number
  /** What tells the entry from others, in eight characters. */
  mark: string
}

export const wordsOfEntries = ({ filter, seek }: EntriesWish): (string | number)[] =>
  seek ? [filter, seek.way, seek.page, seek.mark] : [filter]

export const readEntriesWish = ([filter = '', ...place]: string[]): EntriesWish | null => {
  if (!isFilter(filter)) return null
  if (place.length === 0) return { filter, seek: null }
  const seek = readSeek(place)
  return seek && { filter, seek }
}

const isFilter = (word: string): word is EntryFilter => (entryFilters as readonly string[]).includes(word)

const readSeek = ([way = '', page = '', mark = '']: string[]): Seek | null =>
  (way === 'older' || way === 'newer') && /^[1-9]\d{0,5}$/.test(page) && /^[\w-]{8}$/.test(mark)
    ? { way, page: Number(page), mark }
    : null
