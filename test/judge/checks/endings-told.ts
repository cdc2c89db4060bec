import type { Facts, Order, Said } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { finalStatuses, sumsUp, wordFor } from '../words.ts'

/** The person who confirmed an order was told how it ended, unless their chat refuses messages. */
export const endingsTold: Check = (facts) => {
  const muted = new Set(facts.database.chats.filter(({ isMuted }) => isMuted).map(({ id }) => id))
  const ended = [...facts.orders.values()].filter(
    (order) => endOf(order) !== null && !order.isUnderWay && !order.isRedacted && !muted.has(order.chatId),
  )
  return lookAt(ended, (order) => (order.listed ? listedBreach(facts, order) : singleBreach(facts, order)))
}

/** Matches the words that tell the order's end; null if it has not ended. */
const endOf = ({ placement, status }: Order): RegExp | null => {
  if (placement !== 'placed') return wordFor[placement] ?? null
  return status !== null && finalStatuses.has(status) ? new RegExp(`\\b${status}\\b`) : null
}

const nameOf = ({ placement, status }: Order): string => (placement === 'placed' ? String(status) : placement)

const singleBreach = (facts: Facts, order: Order): string | null => {
  const { id, chatId, reference, placement, phones, purchase } = order
  const word = endOf(order)
  const names = placement === 'placed' ? [reference ?? ''] : phones
  const isAbout = ({ text, messageId, replyTo }: Said): boolean =>
    names.some((name) => text.includes(name)) ||
    (purchase.cardMessageId !== null && [messageId, replyTo].includes(purchase.cardMessageId))
  const isTold = facts
    .saidIn(chatId)
    .some((said) => sumsUp(said.text) || (word?.test(said.text) && isAbout(said)))
  return isTold
    ? null
    : `order ${id} (${reference ?? 'no reference'}) is ${nameOf(order)}, and chat ${chatId} was not told`
}

/** A list does not announce each order's end, but the totals, on its card and in its closing message. */
const listedBreach = (facts: Facts, order: Order): string | null => {
  const { purchase } = order
  if (order !== purchase.orders[0] || purchase.orders.some((each) => endOf(each) === null)) return null
  const counts = countsOf(facts, purchase.orders)
  if (counts === null) return null
  const isTold = facts
    .saidIn(purchase.chatId)
    .some(({ text }) => text.includes(`List of ${counts.total} number`) && tells(text, counts))
  return isTold
    ? null
    : `list ${purchase.id}: ${counts.delivered} delivered and ${counts.failed} failed of ${counts.total}, and chat ${purchase.chatId} was not told`
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
