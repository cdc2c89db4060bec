/**
 * What the judge looks at after a run. Its types are its own, and so are its readings: a fault of the bot's code cannot
 * be in them as well.
 */
export interface Evidence {
  database: Database
  ledger: Ledger
  telegram: Telegram
  /** When the run ended, ms since 1970; if it is missing: when the last thing happened. */
  endedMs?: number
}

/** The bot's tables, as far as the promises are about them. Money is pesewas. */
export interface Database {
  purchases: PurchaseRow[]
  orders: OrderRow[]
  recipients: { orderId: string; phone: string; status: string | null }[]
  notices: { chatId: number; subject: string }[]
  /** Messages that warn of an order's unknown outcome, until it is known. */
  warnings: { chatId: number; orderId: string; says: string; isOwed: boolean }[]
  /** References that callbacks on an order's address named. */
  named: { orderId: string; reference: string }[]
  members: {
    userId: number
    accountId: string
    chatId: number
    role: string
    dailyLimitPesewas: number | null
  }[]
  /** Who became an agent by an owner's invitation. */
  invited: { accountId: string; usedBy: number }[]
  chats: { id: number; isMuted: boolean }[]
  shops: { accountId: string; phone: string | null; agentPrices: string | null }[]
  follows: { orderId: string; chatId: number }[]
}

export interface PurchaseRow {
  id: string
  accountId: string
  chatId: number
  kind: string
  /** Its recipients, JSON. */
  lines: string
  cardMessageId: number | null
  isConfirmed: boolean
}

export interface OrderRow {
  id: string
  purchaseId: string
  accountId: string
  userId: number
  chatId: number
  /** The owner's chat to which an agent's order is reported as well. */
  ownerChatId: number | null
  listed: boolean
  network: string
  volume: string
  quantity: number
  unitPricePesewas: number
  agentUnitPesewas: number | null
  chargedPesewas: number | null
  refundedPesewas: number | null
  placement: string
  reason: string | null
  reference: string | null
  inferred: boolean
  otherReference: string | null
  status: string | null
  /** ms since 1970 */
  createdAtMs: number
  /** When it was sent last, ms since 1970. */
  sentAtMs: number | null
  /** Its phones and texts were erased. */
  isRedacted: boolean
}

/** The simulated provider's books, as `GET /_sim/ledger` gives them; oldest first. */
export interface Ledger {
  entries: {
    accountId: string
    type: 'debit' | 'credit'
    amountPesewas: number
    reference: string
    /** ms since 1970 */
    atMs: number
    /** From when on `/transactions` lists it. */
    visibleAtMs: number
  }[]
  orders: {
    reference: string
    accountId: string
    phones: { phone: string }[]
    webhookUrl: string | null
    /** What the provider says of it, where the run went on until the bot had time to learn it. */
    status?: string
  }[]
  requests: {
    at: string
    method: string
    path: string
    /** Null where the connection broke. */
    status: number | null
    accountId: string | null
    body?: unknown
  }[]
}

/** The simulated Telegram's history, as `GET /_sim/history` gives it; oldest first. */
export interface Telegram {
  isPaced: boolean
  entries: HistoryEntry[]
  /** When a process of the bot died, stood still or lost its database: it may repeat what it said before. */
  interruptionsMs?: number[]
}

export interface HistoryEntry {
  /** ms since 1970 */
  at: number
  chat: number
  messageId: number | null
  by: 'bot' | 'person'
  kind: 'sent' | 'edited' | 'deleted' | 'pressed' | 'toast'
  text?: string
  replyTo?: number
  /** The bot did not get Telegram's answer to it. */
  lost?: boolean
}
