import type { Debit, Order, Purchase, Said } from '../facts.ts'
import { type Check, type Finding, lookAt, together } from '../finding.ts'
import { denies, phonesIn } from '../words.ts'

/** No text says that nothing was ordered or charged where the wallet showed a debit by then. */
export const denials: Check = (facts) => {
  const byChat = Map.groupBy(facts.purchases.values(), ({ chatId }) => chatId)
  return together(...[...byChat].map(([chat, purchases]) => inChat(facts.saidIn(chat), purchases)))
}

const inChat = (texts: readonly Said[], purchases: readonly Purchase[]): Finding => {
  const singles = purchases.filter(({ kind }) => kind === 'single')
  const lists = purchases.filter(({ kind }) => kind === 'list')
  const denying = texts.filter(({ text, kind }) => kind !== 'toast' && denies(text))
  return together(
    lookAt(denying, (said) => {
      const subjects = subjectsOf(said, singles)
      return subjects.length > 0 && subjects.every((purchase) => isCharged(purchase.orders, said.at))
        ? breach(said, subjects[0]?.orders[0])
        : null
    }),
    lookAt(denying, (said) => lineOf(said, lists)),
  )
}

/** The purchases that a text may be about: that of the card which it is or replies to, or all for its one number. */
const subjectsOf = ({ messageId, replyTo, text }: Said, purchases: readonly Purchase[]): Purchase[] => {
  const ofCard = purchases.filter(
    ({ cardMessageId }) => cardMessageId !== null && [messageId, replyTo].includes(cardMessageId),
  )
  if (ofCard.length > 0) return ofCard
  const [phone, ...more] = new Set(phonesIn(text))
  if (phone === undefined || more.length > 0) return []
  return purchases.filter(({ phones }) => phones.has(phone))
}

/** A list's card has a line for each of its orders. */
const lineOf = (said: Said, lists: readonly Purchase[]): string | null => {
  const list = lists.find(({ cardMessageId }) => cardMessageId !== null && cardMessageId === said.messageId)
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

/** A text that was worded before the debit may arrive after it, and so may one worded by a wallet that was just read. */
const underWayMs = 5_000

const wasShown = ({ visibleAtMs }: Debit, atMs: number): boolean => visibleAtMs < atMs - underWayMs

const breach = ({ chat, messageId, text }: Said, order: Order | undefined): string =>
  `chat ${chat} read “${text.split('\n').find(denies) ?? text}” in message ${messageId}, and order ${order?.id} was charged (${order?.debits[0]?.reference})`
