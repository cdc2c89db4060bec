import { type Codec, oneOf, optional, together, whole } from './codec.ts'
import { digest } from './fields.ts'

/** Which of the wallet's entries a button shows, and where it begins; if `seek` is null, with the newest. */
export interface EntriesWish {
  filter: EntryFilter
  seek: Seek | null
}

/** The filters for the wallet's entries, in the order of the buttons. */
export const entryFilters = ['all', 'debits', 'credits', 'unexplained'] as const

export type EntryFilter = (typeof entryFilters)[number]

/**
 * Which entries to show: those older or newer than the marked entry. `page` is the page that had the entry; newer
 * entries may have moved it further back since.
 */
export interface Seek {
  way: 'older' | 'newer'
  page: number
  /** Eight characters that identify the entry. */
  mark: string
}

/** The filter, then `seek` if it is not null. */
export const entriesWish: Codec<EntriesWish> = together({
  filter: oneOf(entryFilters),
  seek: optional(together({ way: oneOf(['older', 'newer']), page: whole(1, 999_999), mark: digest }), null),
})
