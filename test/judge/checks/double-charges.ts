import type { Debit, Facts, Order, Purchase } from '../facts.ts'
import { type Check, lookAt, together } from '../finding.ts'
import { saysTwice } from '../words.ts'

/** No order was charged twice, and no number of a purchase by two of its orders, unless the person was told. */
export const doubleCharges: Check = (facts) =>
  together(
    lookAt(
      [...facts.orders.values()].filter(({ debits }) => debits.length > 0),
      orderTwice(facts),
    ),
    lookAt(
      [...facts.purchases.values()].filter(({ orders }) => orders.length > 1),
      phoneTwice,
    ),
  )

const orderTwice =
  (facts: Facts) =>
  (order: Order): string | null => {
    const { id, chatId, debits, reference } = order
    const extra = debits.slice(1).filter((debit) => couldBeSeen(facts, debit))
    if (extra.length === 0 || order.isUnderWay) return null
    const isTold = facts
      .saidIn(chatId)
      .some(
        ({ text }) =>
          saysTwice(text) &&
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

const phoneTwice = ({ id, orders }: Purchase): string | null => {
  const charged = orders.filter(({ debits }) => debits.length > 0)
  // A list may name a number for two bundles.
  const numbers = charged.flatMap(({ phones, network, volume }) =>
    phones.map((phone) => `${phone} ${network} ${volume}`),
  )
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index)
  return twice === undefined ? null : `purchase ${id} was charged twice for ${twice}`
}
