import type { Database, Evidence, HistoryEntry, OrderRow, PurchaseRow, Telegram } from './evidence.ts'
import { phonesIn, ungrouped } from './words.ts'

/** The evidence, with links from each debit, request and text to its order. */
export interface Facts {
  database: Database
  requests: Evidence['ledger']['requests']
  orders: ReadonlyMap<string, Order>
  /** Orders whose news must be in the chat: none is queued, the chat accepts messages, and no text was erased. */
  toldOrders: Order[]
  purchases: ReadonlyMap<string, Purchase>
  debits: Debit[]
  /** The provider's orders. */
  ledgerOrders: Evidence['ledger']['orders']
  posts: Post[]
  /** The provider's account for each reference. */
  accountOf: ReadonlyMap<string, string>
  telegram: Telegram
  /** If the bot's clock was wrong, the times in its database tell nothing. */
  isClockRight: boolean
  /** When the run ended, ms since 1970. */
  endedMs: number
  /** Everything that the bot said in that chat, each version of a message separately, oldest first. */
  saidIn(chat: number): readonly Said[]
  /** Everything that people wrote in that chat. */
  writtenIn(chat: number): string
}

export interface Order extends OrderRow {
  purchase: Purchase
  phones: readonly string[]
  debits: Debit[]
  /** Whether a message about the order is still enqueued or being sent. */
  isUnderWay: boolean
}

export interface Purchase extends PurchaseRow {
  /** The phone numbers in its lines and in its orders. */
  phones: Set<string>
  orders: Order[]
}

export interface Debit {
  accountId: string
  reference: string
  amountPesewas: number
  atMs: number
  visibleAtMs: number
  /**
   * The order whose POST the provider charged, by the callback address in it. If the POST had none, the order with
   * the debit's reference.
   */
  orderId: string | null
  /** Whether the bot made the POST, rather than another program with the same key. */
  isOfBot: boolean
}

export interface Post {
  atMs: number
  status: number | null
  orderId: string
  accountId: string | null
  phones: readonly string[]
}

/** A text that the bot showed to somebody. */
export type Said = HistoryEntry & { text: string }

/** Whether the text names the order, or replies to its card. */
export const isAbout = ({ text, replyTo }: Said, { reference, phones, purchase }: Order): boolean =>
  [reference, ...phones].some((name) => name !== null && text.includes(name)) ||
  (purchase.cardMessageId !== null && replyTo === purchase.cardMessageId)

export const factsOf = ({ database, ledger, telegram: told, endedMs }: Evidence): Facts => {
  const telegram = { ...told, entries: told.entries.map(withUngroupedText) }
  const said = Map.groupBy(telegram.entries.filter(isSaid), ({ chat }) => chat)
  const written = Map.groupBy(
    telegram.entries.filter(({ by, kind }) => by === 'person' && kind !== 'pressed'),
    ({ chat }) => chat,
  )
  const purchases = new Map(database.purchases.map((row) => [row.id, purchaseOf(row)]))
  const orders = joinOrders(database, purchases)
  const debits = joinDebits(ledger, database.orders)
  for (const debit of debits) orders.get(debit.orderId ?? '')?.debits.push(debit)
  const posts = postsOf(ledger)
  const muted = new Set(database.chats.filter(({ isMuted }) => isMuted).map(({ id }) => id))
  return {
    database,
    requests: ledger.requests,
    isClockRight: isClockRight(posts, orders),
    toldOrders: [...orders.values()].filter(
      ({ isUnderWay, isRedacted, chatId }) => !isUnderWay && !isRedacted && !muted.has(chatId),
    ),
    orders,
    purchases,
    debits,
    ledgerOrders: ledger.orders,
    posts,
    accountOf: new Map(ledger.orders.map(({ reference, accountId }) => [reference, accountId])),
    telegram,
    endedMs:
      endedMs ?? Math.max(telegram.entries.at(-1)?.at ?? 0, Date.parse(ledger.requests.at(-1)?.at ?? '1970')),
    saidIn: (chat) => said.get(chat) ?? [],
    writtenIn: (chat) => (written.get(chat) ?? []).map(({ text }) => text ?? '').join('\n'),
  }
}

const withUngroupedText = (entry: HistoryEntry): HistoryEntry =>
  entry.text === undefined ? entry : { ...entry, text: ungrouped(entry.text) }

const isSaid = (entry: HistoryEntry): entry is Said => entry.by === 'bot' && entry.text !== undefined

const purchaseOf = (row: PurchaseRow): Purchase => ({
  ...row,
  phones: new Set(phonesIn(row.lines)),
  orders: [],
})

const joinOrders = (database: Database, purchases: Map<string, Purchase>): Map<string, Order> => {
  const recipients = Map.groupBy(database.recipients, ({ orderId }) => orderId)
  const owed = new Set(database.notices.flatMap(({ subject }) => subject.split(':')))
  const digests = new Set(
    database.notices.filter(({ subject }) => subject === 'digest').map(({ chatId }) => chatId),
  )
  const orders = new Map<string, Order>()
  for (const row of database.orders) {
    const purchase = purchases.get(row.purchaseId)
    if (!purchase) throw new Error(`The order ${row.id} has no purchase.`)
    const isUnderWay =
      ['queued', 'sending'].includes(row.placement) ||
      owed.has(row.id) ||
      owed.has(purchase.id) ||
      digests.has(row.chatId)
    const phones = (recipients.get(row.id) ?? []).map(({ phone }) => phone)
    const order = { ...row, purchase, phones, debits: [], isUnderWay }
    purchase.orders.push(order)
    for (const phone of phones) purchase.phones.add(phone)
    orders.set(row.id, order)
  }
  return orders
}

const joinDebits = (ledger: Evidence['ledger'], orders: readonly OrderRow[]): Debit[] => {
  const posted = new Map(ledger.orders.map(({ reference, webhookUrl }) => [reference, orderIn(webhookUrl)]))
  const holders = new Map(
    orders.flatMap(({ id, reference, otherReference }) =>
      [reference, otherReference].filter((each) => each !== null).map((each) => [each, id] as const),
    ),
  )
  // Without a public address, the bot's POSTs look like those of other programs.
  const areNamed = ledger.orders.some(({ webhookUrl }) => orderIn(webhookUrl) !== null)
  return ledger.entries
    .filter(({ type }) => type === 'debit')
    .map(({ type: _, ...entry }) => {
      const ofBot = posted.get(entry.reference) ?? null
      const orderId = ofBot ?? holders.get(entry.reference) ?? null
      return { ...entry, orderId, isOfBot: areNamed ? ofBot !== null : orderId !== null }
    })
}

const postsOf = ({ requests }: Evidence['ledger']): Post[] =>
  requests.flatMap(({ at, method, status, accountId, body }) => {
    const order = method === 'POST' && typeof body === 'object' && body !== null ? (body as Posted) : {}
    const orderId = orderIn(order.webhook_url)
    if (orderId === null) return []
    const phones = order.phones ?? (order.phone === undefined ? [] : [order.phone])
    return [{ atMs: Date.parse(at), status, orderId, accountId, phones }]
  })

/** The clock was right if each order's last POST reached the provider at the time that the order's row says. */
const isClockRight = (posts: readonly Post[], orders: ReadonlyMap<string, Order>): boolean => {
  const lastPosts = new Map(posts.map(({ orderId, atMs }) => [orderId, atMs]))
  return [...lastPosts].every(([orderId, atMs]) => {
    const sentAtMs = orders.get(orderId)?.sentAtMs ?? null
    return sentAtMs === null || Math.abs(sentAtMs - atMs) < 60_000
  })
}

interface Posted {
  phone?: string
  phones?: string[]
  webhook_url?: string | null
}

/** The length of the authentication code that follows the order's id in the address of its callbacks. */
const codeLength = 22

const orderIn = (webhookUrl: string | null | undefined): string | null => {
  const token = /\/webhooks\/([^/?]+)$/.exec(webhookUrl ?? '')?.[1]
  return token !== undefined && token.length > codeLength ? token.slice(0, -codeLength) : null
}
