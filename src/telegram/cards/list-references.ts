import type { Purchase } from '../../domain/order/order.ts'
import type { Queries } from '../../store/store.ts'
import { type Button, copyButtons, type Screen } from '../chat/screen.ts'
import { statusWord } from '../words/order-state.ts'
import { type Act, actsOf, ordersFor, pageWithin, pagingButtons } from './list-view.ts'
import type { SeenOrder } from './viewer.ts'
import * as words from './words/list.ts'

/** How many references a list's card shows. */
export const maxReferences = 6
/** How many orders one page of references shows. */
const perPage = 10

/** The button that shows all references, if there are more than the card shows. */
export const referenceButtons = (act: Act, orders: readonly SeenOrder[]): Button[] => {
  const count = orders.filter(({ reference }) => reference !== null).length
  return count > maxReferences ? [act(words.listLabels.references(count), { act: 'references' })] : []
}

/** Each order of a list with its reference, a page at a time; null if nothing was ordered. */
export const referencesScreen = async (
  queries: Queries,
  purchase: Purchase,
  wanted: number,
  viewerId: number,
): Promise<Screen | null> => {
  const { orders } = await ordersFor(queries, purchase, viewerId)
  const shown = orders.filter(({ placement }) => placement !== 'superseded')
  if (shown.length === 0) return null
  const page = pageWithin(shown.length, perPage, wanted)
  const first = page * perPage
  const onPage = shown.slice(first, first + perPage)
  const lines = onPage.map((each) => words.referenceLine(each, statusWord(each)))
  const references = onPage.flatMap(({ reference }) => reference ?? [])
  const paging = { count: shown.length, perPage, page }
  return {
    text: words.referencesText({ first: first + 1, lines, total: shown.length }),
    rows: [
      copyButtons(words.listLabels.copyReferences, references.join('\n')),
      pagingButtons(actsOf(purchase), paging, (to) => ({ act: 'references_page', page: to })),
    ],
  }
}
