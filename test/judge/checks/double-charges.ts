import type { Debit, Facts, Order, Purchase } from '../facts.ts'
import { type Check, lookAt, together } from '../finding.ts'
import { saysTwice, sumsUp } from '../words.ts'

/**
 * No order was charged twice, and no purchase of a single order was charged for two orders, unless the person was
 * told.
 */
export const doubleCharges: Check = (facts) =>
  together(
    lookAt(
      [...facts.orders.values()].filter(({ debits }) => debits.length > 0),
      orderTwice(facts),
    ),
    // A list may contain a number twice, so only purchases of one order are checked.
    lookAt(
      [...facts.purchases.values()].filter(({ kind }) => kind === 'single'),
      purchaseTwice,
    ),
  )

const orderTwice =
  (facts: Facts) =>
  (order: Order): string | null => {
    const { id, chatId, reference } = order
    // A debit by another program may have been taken for the order's own. The person was then told that it is only
    // likely.
    const debits = order.debits.filter(({ isOfBot }) => isOfBot)
    const extra = debits.slice(1).filter((debit) => couldBeSeen(facts, debit))
    if (extra.length === 0 || order.isUnderWay) return null
    // The person was shown the charges, and decides which is the order's, if the order is in review, or if another
    // program's debit was taken for the order's own.
    const isShown = order.placement === 'review' || debits.every((debit) => debit.reference !== reference)
    const isTold = facts
      .saidIn(chatId)
      .some(
        ({ text }) =>
          sumsUp(text) ||
          ((isShown || saysTwice(text)) &&
            (debits.some((debit) => text.includes(debit.reference)) ||
              order.phones.some((phone) => text.includes(phone)))),
      )
    return isTold
      ? null
      : `order ${id} (${reference}) was charged ${debits.length} times, and nobody was told`
  }

/** The bot searches the wallet this long, ms, for a charge that its balance does not explain. */
const searchedMs = 10 * 60_000

/**
 * Whether the bot could see the debit: in the wallet's entries, if it read them soon after the debit, or because the
 * balance fell by more than it knew of, for which it must have read the balance before the debit too. Later, the debit
 * may lie on a page that no read needs.
 */
const couldBeSeen = ({ requests }: Facts, { accountId, atMs, visibleAtMs }: Debit): boolean => {
  if (visibleAtMs - atMs > searchedMs) return false
  const answers = requests.filter((request) => request.accountId === accountId && request.status === 200)
  const readAtMs = (path: RegExp) =>
    answers.filter((each) => path.test(each.path)).map(({ at }) => Date.parse(at))
  const balancesMs = readAtMs(/^\/wallet\/balance/)
  return (
    readAtMs(/^\/transactions/).some((ms) => ms > visibleAtMs && ms <= atMs + searchedMs) ||
    (balancesMs.some((ms) => ms < atMs) && balancesMs.some((ms) => ms > visibleAtMs))
  )
}

const purchaseTwice = ({ id, orders }: Purchase): string | null => {
  const charged = orders.filter(({ debits }) => debits.length > 0)
  return charged.length > 1
    ? `purchase ${id} was charged for ${charged.length} orders: ${charged.map((order) => order.id).join(', ')}`
    : null
}
