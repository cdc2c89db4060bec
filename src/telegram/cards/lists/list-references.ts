import type { Purchase } from '../../../domain/order/order.ts'
import type { Queries } from '../../../store/store.ts'
import { copyButtons, pagingButtons, type Screen } from '../../chat/screen.ts'
import { statusWord } from '../../words/order-state.ts'
import * as words from '../words/list.ts'
import { actsOf, ordersFor, pageWithin } from './list-view.ts'

const perPage = 10

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
  const act = actsOf(purchase)
  return {
    text: words.referencesText({ first: first + 1, lines, total: shown.length }),
    rows: [
      copyButtons(words.listLabels.copyReferences, references.join('\n')),
      pagingButtons(page, first + perPage < shown.length, (label, to) =>
        act(label, { act: 'references_page', page: to }),
      ),
      [act(words.listLabels.numbers, { act: 'numbers_page', page: 0 })],
    ],
  }
}
