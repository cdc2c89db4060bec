import type { Order, Purchase } from '../../../domain/order/order.ts'
import { type RetryChoices, retryChoices } from '../../../orders/listing/retry.ts'
import type { Queries } from '../../../store/store.ts'
import { type Button, button, pagingButtons, type Screen } from '../../chat/screen.ts'
import { progressSeenBy } from '../viewer.ts'
import * as words from '../words/list.ts'
import { type Act, actsOf, ordersFor, pageWithin } from './list-view.ts'

/** How many numbers whose failure is not certain one page shows. Each has a button. */
const perPage = 4
/** How many orders to review have a button. */
const maxToReview = 1

/** One button for all numbers that failed or were stopped; no button if there are none. */
export const retryButtons = (act: Act, orders: readonly Order[]): Button[] => {
  const { sure, unsent, doubtful } = retryChoices(orders)
  const count = sure + doubtful.length
  const label = unsent === count ? words.listLabels.orderUnsent : words.listLabels.retryFailed
  return count > 0 ? [act(label(count), { act: 'retry' })] : []
}

/** Whether the person must read a warning before anything is ordered again. */
export const isRetryDoubtful = (orders: readonly Order[]): boolean =>
  retryChoices(orders).doubtful.length > 0 || orders.some(isOpenQuestion)

/** Whether nobody knows yet if the order was charged. */
const isOpenQuestion = ({ placement }: Order): boolean =>
  placement === 'unconfirmed' || placement === 'review'

/**
 * Shows which recipients can be ordered again, and which need a decision because they may have been served or charged.
 */
export const retryScreen = async (
  queries: Queries,
  purchase: Purchase,
  wanted: number,
  viewerId: number,
): Promise<Screen> => {
  const { all, view } = await ordersFor(queries, purchase, viewerId)
  const choices = retryChoices(all)
  const page = pageWithin(choices.doubtful.length, perPage, wanted)
  const { failed, notKnown } = progressSeenBy(all, view)
  const shown = new Set(
    choices.doubtful.slice(page * perPage, (page + 1) * perPage).map(({ position }) => position),
  )
  return {
    text: words.retryText({
      ...choices,
      doubtful: choices.doubtful.length,
      shown: failed.filter(({ position }) => shown.has(position)),
      unconfirmed: numbersOf(all, 'unconfirmed'),
      toReview: numbersOf(all, 'review'),
      notKnown,
    }),
    rows: retryRows(actsOf(purchase), choices, page, all),
  }
}

const numbersOf = (orders: readonly Order[], placement: Order['placement']): number =>
  orders.reduce((count, order) => count + (order.placement === placement ? order.quantity : 0), 0)

const retryRows = (
  act: Act,
  { sure, onlySure, doubtful }: RetryChoices,
  page: number,
  orders: Order[],
): Button[][] => [
  sure > 0 ? [act(words.listLabels.orderAgain(sure, onlySure), { act: 'retry_sure' })] : [],
  ...doubtful
    .slice(page * perPage, (page + 1) * perPage)
    .map(({ phone, position }) => [act(words.retryOneLabel(phone), { act: 'retry_one', position })]),
  pagingButtons(page, (page + 1) * perPage < doubtful.length, (label, to) =>
    act(label, { act: 'doubtful', page: to }),
  ),
  ...orders
    .filter(({ placement }) => placement === 'review')
    .slice(0, maxToReview)
    .map((order) => [button(words.toReviewLabel(order), { do: 'open', orderId: order.id })]),
]
