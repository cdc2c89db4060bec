import type { Facts, Order, Purchase, Said } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { endOf, finalStatuses, isListDone, isOfProblemsOnly, nameOf, sumsUp } from '../words.ts'

/**
 * The person who confirmed an order was told how it ended, unless their chat refuses messages. The provider's outcome
 * was told in a new message, because nobody notices the edit of a card.
 */
export const endingsTold: Check = (facts) => {
  const ended = facts.toldOrders.filter(hasEnded(facts))
  return lookAt(ended, (order) => (order.listed ? listedBreach(facts, order) : singleBreach(facts, order)))
}

/** A list's order has ended, too, if callbacks reported the end of each number before its own record shows it. */
const hasEnded =
  ({ database }: Facts) =>
  (order: Order): boolean => {
    const own = database.recipients.filter(({ orderId }) => orderId === order.id)
    const isEachEnded = order.listed && order.placement === 'placed' && own.length > 0
    return (
      endOf(order) !== null || (isEachEnded && own.every(({ status }) => finalStatuses.has(status ?? '')))
    )
  }

const singleBreach = (facts: Facts, order: Order): string | null => {
  const { id, chatId, reference, placement, phones, purchase } = order
  const word = endOf(order)
  const names = placement === 'placed' ? [reference ?? ''] : phones
  const isAbout = ({ text, messageId, replyTo }: Said): boolean =>
    names.some((name) => text.includes(name)) ||
    (purchase.cardMessageId !== null && [messageId, replyTo].includes(purchase.cardMessageId))
  const isHeard = placement === 'placed' && (order.status !== 'delivered' || hearsGoodNews(facts, chatId))
  const isTold = facts
    .saidIn(chatId)
    .filter(({ kind }) => !isHeard || kind === 'sent')
    .some((said) => sumsUp(said.text) || (word?.test(said.text) && isAbout(said)))
  return isTold
    ? null
    : `order ${id} (${reference ?? 'no reference'}) is ${nameOf(order)}, and chat ${chatId} was not told`
}

/** False if the person has ever chosen to hear of problems only. */
const hearsGoodNews = (facts: Facts, chatId: number): boolean =>
  !facts.saidIn(chatId).some(({ text }) => isOfProblemsOnly(text))

/** A list does not announce each order's end, but the totals, on its card and in its closing message. */
const listedBreach = (facts: Facts, order: Order): string | null => {
  const { purchase } = order
  if (order !== purchase.orders[0] || !purchase.orders.every(hasEnded(facts))) return null
  const counts = countsOf(facts, purchase.orders)
  if (counts === null) return null
  const said = facts.saidIn(purchase.chatId)
  const isTold = said.some(
    ({ text }) => text.includes(`List of ${counts.total} number`) && tells(text, counts),
  )
  if (isTold && !isHeard(facts, purchase, counts))
    return `list ${purchase.id}: chat ${purchase.chatId} got no message that it is done`
  return isTold
    ? null
    : `list ${purchase.id}: ${counts.delivered} delivered and ${counts.failed} failed of ${counts.total}, and chat ${purchase.chatId} was not told`
}

/** Whether a new message said that the list is done or, if an order failed later, that this order failed. */
const isHeard = (facts: Facts, { chatId, orders }: Purchase, counts: Counts): boolean => {
  const { total, delivered, failed } = counts
  if (delivered + failed === 0) return true
  if (failed === 0 && !hearsGoodNews(facts, chatId)) return true
  const references = orders.map(({ reference }) => reference).filter((each) => each !== null)
  return facts
    .saidIn(chatId)
    .filter(({ kind }) => kind === 'sent')
    .some(
      ({ text }) =>
        sumsUp(text) ||
        (isListDone(text, total) && (failed === 0 || count(text, 'failed') > 0)) ||
        (failed > 0 &&
          /failed|cancelled|refunded/.test(text) &&
          references.some((each) => text.includes(each))),
    )
}

interface Counts {
  total: number
  delivered: number
  failed: number
}

/** Null if the provider does not report the outcome of each number. */
const countsOf = ({ database }: Facts, orders: readonly Order[]): Counts | null => {
  const words = orders.flatMap((order) => {
    const recipients = database.recipients.filter(({ orderId }) => orderId === order.id)
    if (order.placement !== 'placed') return recipients.map(() => 'not ordered')
    return recipients.map(({ status }) => status ?? (recipients.length === 1 ? order.status : null))
  })
  if (words.some((word) => word !== 'not ordered' && !finalStatuses.has(word ?? ''))) return null
  const delivered = words.filter((word) => word === 'delivered').length
  const failed = words.filter((word) => finalStatuses.has(word ?? '')).length - delivered
  return { total: words.length, delivered, failed }
}

const tells = (text: string, { delivered, failed }: Counts): boolean =>
  count(text, 'delivered') === delivered && count(text, 'failed') === failed

const count = (text: string, word: string): number =>
  Number(new RegExp(`([\\d,]+) ${word}\\b`).exec(text)?.[1]?.replaceAll(',', '') ?? 0)
