import type { ActOf } from '../../buttons/table.ts'
import { type Button, button, pagingButtons } from '../../chat/screen.ts'
import { operatorLabels } from './words.ts'

/** Buttons and pages that the operators' screens share. */

export const operatorButton = (label: string, act: ActOf<'operator'>): Button =>
  button(label, { do: 'operator', act })

export const overviewButton = button(operatorLabels.overview, { do: 'admin' })

/** How many entries a page has. Their buttons fit into one row. */
export const perPage = 5

/** The entries of one page. @param found the entries read for it: one more than fits, if there is a next page. */
export const pageOf = <T>(found: T[]): T[] => found.slice(0, perPage)

/** The buttons to the previous and the next page. @param found as for `pageOf`. */
export const turnButtons = (
  page: number,
  found: readonly unknown[],
  to: (page: number) => ActOf<'operator'>,
): Button[] => pagingButtons(page, found.length > perPage, (label, next) => operatorButton(label, to(next)))
