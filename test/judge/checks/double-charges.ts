import type { Debit, Facts, Order, Purchase } from '../facts.ts'
import { type Check, lookAt, together } from '../finding.ts'
import { saysTwice } from '../words.ts'

/** No order was charged twice, and no purchase of one order by two of them, unless the person was told. */
export const doubleCharges: Check = (facts) =>
  together(
    lookAt(
      [...facts.orders.values()].filter(({ debits }) => debits.length > 0),
      orderTwice(facts),
    ),
    // A list may name a number twice.
    lookAt(
      [...facts.purchases.values()].filter(({ kind }) => kind === 'single'),
      purchaseTwice,
    ),
  )

const orderTwice =
  (facts: Facts) =>
  (order: Order): string | null => {
    const { id, chatId, reference } = order
    // Another program's debit that was taken for its own was told as inferred.
    const debits = order.debits.filter(({ isOfBot }) => isOfBot)
    const extra = debits.slice(1).filter((debit) => couldBeSeen(facts, debit))
    if (extra.length === 0 || order.isUnderWay) return null
    // For one under review its person decides, shown the charges' reference.
    const isReviewed = order.placement === 'review'
    const isTold = facts
      .saidIn(chatId)
      .some(
        ({ text }) =>
          (isReviewed || saysTwice(text)) &&
          (debits.some((debit) => text.includes(debit.reference)) ||
            order.phones.some((phone) => text.includes(phone))),
      )
    return isTold
      ? null
      : `order ${id} (${reference}) was charged ${debits.length} times, and nobody was told`
  }

/** The bot has read the wallet or its balance since. */
const couldBeSeen = ({ requests }: Facts, { accountId, visibleAtMs }: Debit): boolean =>
  requests.some(
    ({ at, path, status, ...request }) =>
      status === 200 &&
      request.accountId === accountId &&
      /^\/(transactions|wallet\/balance)/.test(path) &&
      Date.parse(at) > visibleAtMs,
  )

const purchaseTwice = ({ id, orders }: Purchase): string | null => {
  const charged = orders.filter(({ debits }) => debits.length > 0)
  return charged.length > 1
    ? `purchase ${id} was charged for ${charged.length} orders: ${charged.map((order) => order.id).join(', ')}`
    : null
}
