import type { ActOf } from '../../buttons/table.ts'
import { type Button, button } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import { operatorLabels } from './words.ts'

/** Buttons and pages that the operators' screens share. */

export const operatorButton = (label: string, act: ActOf<'operator'>): Button =>
  button(label, { do: 'operator', act })

export const overviewButton = button(operatorLabels.overview, { do: 'admin' })

/** How many entries a page has. Their buttons fit into one row. */
export const perPage = 5

/** The entries of one page. @param found the entries read for it: one more than fits, if there is a next page. */
export const pageOf = <T>(found: T[]): T[] => found.slice(0, perPage)

/** The buttons `◀` and `▶`, each only if there is a page in its direction. @param found as for `pageOf`. */
export const pagingButtons = (
  page: number,
  found: readonly unknown[],
  to: (page: number) => ActOf<'operator'>,
): Button[] => [
  ...(page > 0 ? [operatorButton(labels.previous, to(page - 1))] : []),
  ...(found.length > perPage ? [operatorButton(labels.next, to(page + 1))] : []),
]
