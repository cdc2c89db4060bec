import type { Debit, Order, Purchase, Said } from '../facts.ts'
import { type Check, type Finding, lookAt, together } from '../finding.ts'
import { denies, phonesIn } from '../words.ts'

/** No text says that nothing was ordered or charged if the wallet showed a debit at that time. */
export const denials: Check = (facts) => {
  const known = [...facts.purchases.values()].flatMap((purchase) =>
    readersOf(purchase).map((chat) => ({ chat, purchase })),
  )
  const byChat = Map.groupBy(known, ({ chat }) => chat)
  return together(
    ...[...byChat].map(([chat, some]) =>
      inChat(
        facts.saidIn(chat),
        some.map(({ purchase }) => purchase),
      ),
    ),
  )
}

/** The chats that read about a purchase. The owner reads about an agent's orders too. */
const readersOf = ({ chatId, orders }: Purchase): number[] => {
  const owners = orders.map(({ ownerChatId }) => ownerChatId).filter((chat) => chat !== null)
  return [...new Set([chatId, ...owners])]
}

const inChat = (texts: readonly Said[], purchases: readonly Purchase[]): Finding => {
  const denying = texts.filter(({ text, kind }) => kind !== 'toast' && denies(text))
  return together(
    lookAt(denying, (said) => {
      const subjects = subjectsOf(said, purchases)
      const isDenied = subjects.length > 0 && subjects.every((orders) => isCharged(orders, said.at))
      return isDenied ? breach(said, subjects[0]?.[0]) : null
    }),
    lookAt(denying, (said) => lineOf(said, purchases)),
  )
}

/**
 * The orders that a text may be about. If the text is a card or a reply to one, they are the card's orders. Otherwise
 * they are all orders for the text's phone number, if it contains exactly one.
 */
const subjectsOf = (said: Said, purchases: readonly Purchase[]): (readonly Order[])[] => {
  const [phone, ...more] = new Set(phonesIn(said.text))
  const number = more.length === 0 ? phone : undefined
  const ofCard = purchases.filter((purchase) => isOnCard(said, purchase))
  return (ofCard.length > 0 ? ofCard : purchases.filter(({ phones }) => phones.has(number ?? ''))).flatMap(
    ({ kind, orders }): (readonly Order[])[] =>
      kind === 'single'
        ? [orders]
        : orders.filter(({ phones }) => phones.includes(number ?? '')).map((order) => [order]),
  )
}

const isOnCard = ({ chat, messageId, replyTo }: Said, { chatId, cardMessageId }: Purchase): boolean =>
  chat === chatId && cardMessageId !== null && [messageId, replyTo].includes(cardMessageId)

/** Checks the card of a list, which has a line for each order. */
const lineOf = (said: Said, purchases: readonly Purchase[]): string | null => {
  const list = purchases.find(
    ({ kind, chatId, cardMessageId }) =>
      kind === 'list' && chatId === said.chat && cardMessageId === said.messageId,
  )
  if (!list) return null
  for (const line of said.text.split('\n').filter(denies)) {
    const meant = list.orders.filter(
      ({ network, volume, quantity, reference }) =>
        line.startsWith(`${network} ${volume} × ${quantity}: `) &&
        (!line.includes('BUD-') || (reference !== null && line.includes(reference))),
    )
    if (meant.length > 0 && isCharged(meant, said.at)) return breach(said, meant[0])
  }
  return null
}

const isCharged = (orders: readonly Order[], atMs: number): boolean =>
  orders.length > 0 && orders.every(({ debits }) => debits.some((debit) => wasShown(debit, atMs)))

/**
 * A text that arrives within this time after a debit may have been written before the debit, or right after a read of
 * the wallet that did not show it yet.
 */
const underWayMs = 5_000

/**
 * Whether the wallet showed the debit. A debit by another program is not the order's, even if it was later taken for
 * the order's own.
 */
const wasShown = ({ visibleAtMs, isOfBot }: Debit, atMs: number): boolean =>
  isOfBot && visibleAtMs < atMs - underWayMs

const breach = ({ chat, messageId, text }: Said, order: Order | undefined): string =>
  `chat ${chat} read “${text.split('\n').find(denies) ?? text}” in message ${messageId}, and order ${order?.id} was charged (${order?.debits[0]?.reference})`
