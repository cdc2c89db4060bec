import type { ActOf } from '../../buttons/button.ts'
import { type Key, key } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import { operatorLabels } from './words.ts'

/** Parts that the operators' screens share. */

export const operatorKey = (label: string, act: ActOf<'operator'>): Key => key(label, { do: 'operator', act })

/** Leads back to the operators' overview. */
export const overviewKey = key(operatorLabels.overview, { do: 'admin' })

/** The most entries of a page: a button each, in one row. */
export const perPage = 5

/** Cuts a page from a read of one entry more. */
export const pageOf = <T>(found: T[]): T[] => found.slice(0, perPage)

/** `◀` and `▶`, if there is a page in that direction. */
export const pagingKeys = (
  page: number,
  found: readonly unknown[],
  to: (page: number) => ActOf<'operator'>,
): Key[] => [
  ...(page > 0 ? [operatorKey(labels.previous, to(page - 1))] : []),
  ...(found.length > perPage ? [operatorKey(labels.next, to(page + 1))] : []),
]
