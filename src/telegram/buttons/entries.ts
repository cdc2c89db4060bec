import { type Codec, oneOf, optional, together, whole } from './codec.ts'
import { digest } from './fields.ts'

/** Which of the wallet's entries a button shows, and from which place on; without a place, the newest. */
export interface EntriesWish {
  filter: EntryFilter
  seek: Seek | null
}

/** The filters for the wallet's entries, in the order of the buttons. */
export const entryFilters = ['all', 'debits', 'credits', 'unexplained'] as const

export type EntryFilter = (typeof entryFilters)[number]

/**
 * Where to go on among the entries: to older ones after the marked entry, or to newer ones before it. `page` is where
 * the entry was; newer entries may have moved it further back.
 */
export interface Seek {
  way: 'older' | 'newer'
  page: number
  /** Eight characters that identify the entry. */
  mark: string
}

/** A filter, and the place if there is one. */
export const entriesWish: Codec<EntriesWish> = together({
  filter: oneOf(entryFilters),
  seek: optional(together({ way: oneOf(['older', 'newer']), page: whole(1, 999_999), mark: digest }), null),
})
