import { type Codec, oneOf, optional, together, whole } from './codec.ts'
import { digest } from './fields.ts'

/** Which of the wallet's entries a button shows, and from where on; without a place the newest. */
export interface EntriesWish {
  filter: EntryFilter
  seek: Seek | null
}

/** Which of the wallet's entries there are to choose, in the order of the buttons. */
export const entryFilters = ['all', 'debits', 'credits', 'unexplained'] as const

/** Which entries a button shows: one of `entryFilters`. */
export type EntryFilter = (typeof entryFilters)[number]

/**
 * Where among the entries to look on: behind the marked one (towards older ones) or before it. The page is where it
 * stood; entries that have come since then have moved it further back.
 */
export interface Seek {
  way: 'older' | 'newer'
  page: number
  /** Eight characters that identify the entry. */
  mark: string
}

/** A filter, and a place where there is one. */
export const entriesWish: Codec<EntriesWish> = together({
  filter: oneOf(entryFilters),
  seek: optional(together({ way: oneOf(['older', 'newer']), page: whole(1, 999_999), mark: digest }), null),
})
