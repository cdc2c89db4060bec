import type { NoticeContent } from '../../../src/domain/notice.ts'
import { isUnfinished } from '../../../src/domain/order/order.ts'
import { tablesBy } from '../../judge/database.ts'
import type { Evidence, HistoryEntry, OrderRow as OrderOfJudge } from '../../judge/evidence.ts'
import type { OrderRow, Tables } from '../bot/tables.ts'
import type { Service } from '../outside/service.ts'
import type { Telegram, Told } from '../outside/telegram.ts'
import type { World } from '../world.ts'

/**
 * The evidence of a run for the judge. Because the simulated bot sends no texts, each message gets the text of
 * `wordsOf`.
 */
export const evidenceOf = async (
  world: World,
  service: Service,
  { told, screens }: Telegram,
): Promise<Evidence> => {
  const { tables } = world
  const cards = cardsOf(tables)
  return {
    database: await databaseOf(tables, cards),
    ledger: {
      entries: service.entries(),
      orders: [...service.charges.values()].map(
        ({ kind, status, reference, accountId, recipients, orderId }) => ({
          ...(kind === 'single' && { status }),
          reference,
          accountId,
          phones: recipients,
          webhookUrl: orderId === null ? null : callbackOf(orderId),
        }),
      ),
      requests: service.requests.map(({ atMs, orderId, ...request }) => ({
        ...request,
        at: new Date(atMs).toISOString(),
        ...(orderId !== undefined && { body: { webhook_url: callbackOf(orderId) } }),
      })),
    },
    endedMs: world.nowMs,
    telegram: {
      isPaced: false,
      interruptionsMs: world.interruptionsMs,
      entries: [
        ...told.map((each, index) => entryOf(each, tables, cards, told.length + index)),
        ...screens.map(screenOf),
      ].toSorted((a, b) => a.at - b.at),
    },
  }
}

/** The address for callbacks, as the bot makes it: the order's id followed by an authentication code. */
const callbackOf = (orderId: string): string => `/webhooks/${orderId}${'-'.repeat(22)}`

/** The message that shows the card, for each purchase. */
const cardsOf = ({ purchases }: Tables): Map<string, number> =>
  new Map(purchases.all().map(({ id }, index) => [id, index + 1]))

const databaseOf = async (tables: Tables, cards: Map<string, number>): Promise<Evidence['database']> => {
  const read = await tablesBy(tables.ask)
  return {
    ...read,
    purchases: read.purchases.map((row) => ({ ...row, cardMessageId: cards.get(row.id) ?? null })),
    orders: read.orders.map((order) => ({ ...order, placement: endOf(order) })),
  }
}

/**
 * How the order ended, for the judge. An order that a person cancelled is `withdrawn`: the bot answers the press, and
 * the simulation records only notices, so the judge must expect no message.
 */
const endOf = ({ placement, reason }: OrderOfJudge): string =>
  placement === 'cancelled' && reason === 'by_person' ? 'withdrawn' : placement

const entryOf = (
  { chatId, atMs, content, words, isLost }: Told,
  { orders }: Tables,
  cards: Map<string, number>,
  messageId: number,
): HistoryEntry => {
  const common = { at: atMs, chat: chatId, by: 'bot' as const, text: words, ...(isLost && { lost: true }) }
  const isRedraw = content.kind === 'card' || (content.kind === 'list' && content.what === 'changed')
  if (isRedraw) return { ...common, kind: 'edited', messageId: cards.get(content.purchaseId) ?? 0 }
  const about =
    content.kind === 'announce'
      ? orders.get(content.orderId)?.purchaseId
      : content.kind === 'list'
        ? content.purchaseId
        : undefined
  const replyTo = cards.get(about ?? '')
  return { ...common, kind: 'sent', messageId, ...(replyTo !== undefined && { replyTo }) }
}

const screenOf = ({ chatId, atMs, words }: Telegram['screens'][number]): HistoryEntry => ({
  at: atMs,
  chat: chatId,
  messageId: null,
  by: 'bot',
  kind: 'edited',
  text: words,
})

/** What a message would say now, in words that the judge reads. Empty if the judge does not need the message. */
export const wordsOf = (tables: Tables, chatId: number, content: NoticeContent): string => {
  const { orders, purchases } = tables
  switch (content.kind) {
    case 'card': {
      const own = orders.where(({ purchaseId }) => purchaseId === content.purchaseId)
      return own.some(({ listed }) => listed)
        ? `${sumOf(own)}\n${own.map(lineOf).join('\n')}`
        : own.map(stateOf).join('\n')
    }
    case 'announce': {
      const order = orders.get(content.orderId)
      return order ? newsOf(order, content.what) : ''
    }
    case 'list': {
      const own = orders.where(({ purchaseId }) => purchaseId === content.purchaseId)
      const lost = own.filter(({ placement }) => placement === 'unconfirmed').map(({ id }) => id)
      return content.what === 'done' || content.what === 'went_on'
        ? sumOf(own, own.some(isUnfinished) ? ': not done yet' : ': done')
        : `${content.what} by ${purchases.get(content.purchaseId)?.heldById}, unconfirmed ${lost.join(', ')}: ${sumOf(own)}`
    }
    case 'digest':
      return [
        'While I couldn’t write to you:',
        ...content.named.map(({ orderId, about }) => {
          const order = orders.get(orderId)
          return order
            ? `${stateOf(order)} · ${about.map((each) => digestWords[each] ?? each).join(', ')}`
            : ''
        }),
        ...(content.counted.length > 0 ? ['… and some more: …'] : []),
      ].join('\n')
    case 'agency':
      return teamNews(tables, chatId, content.news.what)
    case 'audit':
      return content.debits.map(({ reference }) => reference).join(', ')
    default:
      return ''
  }
}

const teamNews = ({ members }: Tables, chatId: number, what: string): string => {
  if (what === 'dismissed') return 'The owner has removed you'
  if (what !== 'paused') return ''
  return members.get(chatId)?.pausedAt ? 'You’re paused' : 'You can order again'
}

const digestWords: Record<string, string> = {
  overcharged: 'charged too much',
  other_price: 'the provider charged another amount',
  refund: 'refunded',
  two_references: 'two references',
}

const newsOf = (order: OrderRow, what: Extract<NoticeContent, { kind: 'announce' }>['what']): string => {
  switch (what.about) {
    case 'status':
      return `${what.contradicts ? '⚠️ Correction\n' : ''}• ${nameOf(order)}: ${what.status}\n${order.reference}`
    case 'placement':
      return stateOf(order)
    case 'overcharged':
      return `${nameOf(order)} was charged ${what.debits} times: ${order.reference}`
    case 'other_price':
      return `${nameOf(order)}: the provider charged ${order.chargedPesewas}. ${order.reference}`
    case 'two_references':
      return `${nameOf(order)} has two references: ${order.reference}, ${what.reference}`
    case 'doubt':
      return `${nameOf(order)} (${order.id}): the wallet was charged for it or one like it: ${what.debits.map(({ reference, atMs }) => reference ?? `at ${atMs}`).join(', ')}`
    case 'refund':
      return `${nameOf(order)}: refunded ${order.refundedPesewas}${order.refundAt === null ? ', the last word' : ''}. ${order.reference}`
    default:
      return `${nameOf(order)}: ${what.about} ${JSON.stringify(what)} ${order.reference}`
  }
}

const nameOf = ({ network, volume, recipients }: OrderRow): string =>
  `${network} ${volume} for ${recipients.map(({ phone }) => phone).join(', ')}`

const placementWords: Partial<Record<OrderRow['placement'], string>> = {
  not_placed: 'not placed. Nothing was charged.',
  rejected: 'rejected. Nothing was charged.',
  cancelled: 'cancelled. Nothing was charged.',
  review: 'to review',
}

const wordOf = ({ placement, status, reason }: OrderRow): string => {
  // A person's answer and the bot's doubt are not statements of the bot about the charge.
  if (reason === 'by_person') return 'not placed. You said nothing was charged.'
  if (reason === 'late_doubt' || reason === 'pending') return placement.replace('_', ' ')
  return placement === 'placed' ? String(status) : (placementWords[placement] ?? placement)
}

const stateOf = (order: OrderRow): string => `${nameOf(order)} · ${wordOf(order)} · ${order.reference ?? ''}`

const lineOf = (order: OrderRow): string =>
  `${order.network} ${order.volume} × ${order.quantity}: ${wordOf(order)} ${order.reference ?? ''}`

const sumOf = (orders: readonly OrderRow[], state = ''): string => {
  const statuses = orders.flatMap(({ placement, status, recipients }) =>
    placement === 'placed' ? recipients.map((each) => each.status ?? status) : recipients.map(() => null),
  )
  const delivered = statuses.filter((status) => status === 'delivered').length
  const failed = statuses.filter((status) =>
    ['failed', 'cancelled', 'refunded'].includes(status ?? ''),
  ).length
  return `List of ${statuses.length} numbers${state}: ${delivered} delivered, ${failed} failed`
}
