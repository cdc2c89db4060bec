import type { Debit, Facts, Order } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { isDoubt } from '../words.ts'

/**
 * Each debit for one of the bot's requests belongs to a confirmed order that has its reference, or the person was told
 * about the debit.
 */
export const debitsKnown: Check = (facts) => lookAt(facts.debits.filter(isToBeKnown(facts)), breachIn(facts))

/**
 * Whether the bot must know about the debit. It need not know about debits by other programs, or debits that the
 * wallet does not show yet.
 */
const isToBeKnown =
  ({ orders, endedMs }: Facts) =>
  ({ isOfBot, orderId, visibleAtMs }: Debit): boolean => {
    const order = orders.get(orderId ?? '')
    const isHidden = visibleAtMs > endedMs && order?.reference == null
    return (isOfBot || order !== undefined) && !order?.isUnderWay && !isHidden
  }

/**
 * After this long, the bot has had time to see the debit: for an order that is `not_placed`, it reads the wallet at
 * least once an hour.
 */
const watchedMs = 2 * 60 * 60_000

const breachIn =
  (facts: Facts) =>
  ({ reference, orderId, visibleAtMs }: Debit): string | null => {
    const order = facts.orders.get(orderId ?? '')
    if (!order) return isNamed(facts, reference) ? null : `debit ${reference} has no order and was not told`
    if (!order.purchase.isConfirmed) return `debit ${reference} of order ${order.id}, which nobody confirmed`
    const holder = [...facts.orders.values()].find((each) => each.reference === reference)
    if (holder && holder.id !== order.id && !holder.inferred)
      return `debit ${reference} of order ${order.id} is held as proven by order ${holder.id}`
    if (holder && holder.id !== order.id && holder.quantity > 1 && !isForNumbersOf(holder, order))
      return `debit ${reference} of order ${order.id} was taken for that of order ${holder.id}, which is for other numbers`
    if (holder || order.otherReference === reference) return null
    // If the bot still says that nothing was charged long after the debit became visible, an earlier message that the
    // order may have been charged does not count as news of the debit.
    const isDenied = order.placement === 'not_placed' && facts.endedMs - visibleAtMs > watchedMs
    const isTold = facts
      .saidIn(order.chatId)
      .filter(({ at }) => !isDenied || at > visibleAtMs)
      .some(({ text }) => text.includes(reference) || (isAbout(text, order.phones) && isDoubt(text)))
    if (isTold || (order.listed && facts.saidIn(order.chatId).some(({ text }) => isDoubt(text)))) return null
    return `debit ${reference} of order ${order.id} (${order.placement}) was not told`
  }

const isForNumbersOf = (holder: Order, order: Order): boolean =>
  order.phones.every((phone) => holder.phones.includes(phone))

const isNamed = ({ telegram }: Facts, reference: string): boolean =>
  telegram.entries.some(({ by, text }) => by === 'bot' && text?.includes(reference))

const isAbout = (text: string, phones: readonly string[]): boolean =>
  phones.some((phone) => text.includes(phone))
