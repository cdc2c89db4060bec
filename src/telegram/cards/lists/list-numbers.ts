import { isRedacted, type Purchase } from '../../../domain/order/order.ts'
import { groupIn } from '../../../domain/order/progress.ts'
import type { NamedNumber } from '../../../lists/names/named-number.ts'
import { namesIn } from '../../../lists/names/names-in.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { Queries } from '../../../store/store.ts'
import { type Button, inRows, pagingButtons, type Screen } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import { removedNote } from '../../words/numbers.ts'
import { savedFor } from '../saved-names.ts'
import { progressSeenBy, type SeenOrder, type SeenProgress } from '../viewer.ts'
import * as words from '../words/list.ts'
import { type Act, actsOf, ordersFor, pageWithin } from './list-view.ts'

/** How many numbers a card names, and how many one page of all numbers shows. */
export const maxNumbers = 20

/** The button that shows all numbers of a list in a new message. */
export const numbersButton = (act: Act, { total }: Pick<SeenProgress, 'total'>): Button =>
  act(total > maxNumbers ? words.listLabels.allNumbers : labels.more, { act: 'numbers' })

/** Each number of a list, a page at a time: what it got, and for whom. Null if nothing was ordered. */
export const numbersScreen = async (
  queries: Queries,
  purchase: Purchase,
  wanted: number,
  viewerId: number,
): Promise<Screen | null> => {
  const { all, orders, view } = await ordersFor(queries, purchase, viewerId)
  const progress = progressSeenBy(all, view)
  const { total } = progress
  if (total === 0) return null
  const page = pageWithin(total, maxNumbers, wanted)
  const first = page * maxNumbers
  const shown = all.some(isRedacted)
    ? [removedNote(total)]
    : await numberLines(queries, purchase, { orders, progress, viewerId }, first)
  const act = actsOf(purchase)
  const hasMore = !all.some(isRedacted) && first + maxNumbers < total
  return {
    text: words.numbersText({ first: first + 1, lines: shown, total }),
    rows: [
      pagingButtons(page, hasMore, (label, to) => act(label, { act: 'numbers_page', page: to })),
      ...inRows(
        [
          act(words.listLabels.result, { act: 'excel' }),
          ...(orders.some(({ reference }) => reference !== null)
            ? [act(words.listLabels.references, { act: 'references_page', page: 0 })]
            : []),
        ],
        2,
      ),
    ],
  }
}

/** What each number got, in the order of the list, `maxNumbers` of them from the place `first` on. */
export const numberLines = async (
  queries: Pick<Queries, 'accounts' | 'contacts' | 'lists'>,
  purchase: Purchase,
  { orders, progress, viewerId }: { orders: SeenOrder[]; progress: SeenProgress; viewerId: number },
  first = 0,
): Promise<string[]> => {
  const numbers = orders
    .filter(({ placement }) => placement !== 'superseded')
    .flatMap((order) => order.recipients.map((recipient) => ({ order, recipient })))
    .sort((a, b) => a.recipient.position - b.recipient.position)
    .slice(first, first + maxNumbers)
  const phones = numbers.map(({ recipient }) => recipient.phone)
  const names = await namesFor(queries, purchase, phones, viewerId)
  const failed = new Map(progress.failed.map((failure) => [failure.position, failure]))
  return numbers.map(({ order, recipient }) =>
    words.numberLine({
      phone: recipient.phone,
      volume: order.volume,
      name: names.get(recipient.phone) ?? null,
      group: groupIn(order, recipient),
      failure: failed.get(recipient.position) ?? null,
    }),
  )
}

/** The most names that one press saves. */
const maxNames = 200

/** The names in the text of a list for its ordered numbers that the viewer has not saved; none for other viewers. */
export const unsavedNames = async (
  queries: Pick<Queries, 'accounts' | 'contacts' | 'lists' | 'orders'>,
  { id, accountId, userId }: Purchase,
  viewerId: number,
): Promise<NamedNumber[]> => {
  const viewer = viewerId === userId ? await queries.accounts.member(viewerId) : null
  const list = viewer?.accountId === accountId ? await queries.lists.byPurchase(id) : null
  if (!viewer || !list) return []
  const orders = await queries.orders.ofPurchase(id)
  const ordered = new Set<string>(orders.flatMap(({ recipients }) => recipients.map(({ phone }) => phone)))
  const named = [...namesIn(list.text)].filter(([phone]) => ordered.has(phone)).slice(0, maxNames)
  const saved = await queries.contacts.names(
    bookOf(viewer),
    named.map(([phone]) => phone),
  )
  return named.flatMap(([phone, name]) => (saved.has(phone) ? [] : [{ phone, name }]))
}

/** The names for numbers of a list: as the list has them, else as the viewer has saved them. */
export const namesFor = async (
  queries: Pick<Queries, 'accounts' | 'contacts' | 'lists'>,
  { id, accountId }: Purchase,
  phones: string[],
  viewerId: number,
): Promise<Map<string, string>> => {
  const saved = await savedFor(queries, { accountId, phones, viewerId })
  const list = await queries.lists.byPurchase(id)
  return new Map<string, string>([
    ...saved.map(({ phone, name }) => [phone, name] as const),
    ...(list ? namesIn(list.text) : []),
  ])
}
