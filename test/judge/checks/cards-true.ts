import type { Facts, Order } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { cardWord, endOf, nameOf } from '../words.ts'

/** The card of an order shows how it ended, unless something else was opened in the same message. */
export const cardsTrue: Check = (facts) =>
  lookAt(
    facts.toldOrders.filter(({ listed, purchase }) => !listed && purchase.orders.length === 1),
    (order) => {
      const end = endOf(order)
      const shown = wordOnCard(facts, order)
      return end === null || shown === null || end.test(shown)
        ? null
        : `the card of order ${order.id} says “${shown}” in the end, and it is ${nameOf(order)}`
    },
  )

/** Null if the message shows no card, or if the bot cannot know what it shows because Telegram's answer was lost. */
const wordOnCard = ({ telegram }: Facts, { chatId, reference, phones, purchase }: Order): string | null => {
  const { cardMessageId } = purchase
  if (cardMessageId === null) return null
  const last = telegram.entries.findLast(
    ({ chat, messageId, by }) => chat === chatId && messageId === cardMessageId && by === 'bot',
  )
  if (last?.text === undefined || last.lost || last.kind === 'deleted') return null
  const isOfOrder = [reference, ...phones].some((name) => name !== null && last.text?.includes(name))
  return isOfOrder ? cardWord(last.text) : null
}
