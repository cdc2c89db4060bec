import type { ActOf } from '../../buttons/button.ts'
import { type Button, button } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import { operatorLabels } from './words.ts'

/** Parts that the operators' screens share. */

export const operatorButton = (label: string, act: ActOf<'operator'>): Button =>
  button(label, { do: 'operator', act })

/** Leads back to the operators' overview. */
export const overviewButton = button(operatorLabels.overview, { do: 'admin' })

/** The most entries of a page: a button each, in one row. */
export const perPage = 5

/** Cuts a page from a read of one entry more. */
export const pageOf = <T>(found: T[]): T[] => found.slice(0, perPage)

/** `◀` and `▶`, if there is a page in that direction. */
export const pagingButtons = (
  page: number,
  found: readonly unknown[],
  to: (page: number) => ActOf<'operator'>,
): Button[] => [
  ...(page > 0 ? [operatorButton(labels.previous, to(page - 1))] : []),
  ...(found.length > perPage ? [operatorButton(labels.next, to(page + 1))] : []),
]
