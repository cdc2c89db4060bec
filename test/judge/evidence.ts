/**
 * What the judge examines after a run. It has its own types and its own queries, so that a fault in the bot's code
 * cannot be in the judge too.
 */
export interface Evidence {
  database: Database
  ledger: Ledger
  telegram: Telegram
  /** When the run ended, ms since 1970. If absent, the time of the last event counts. */
  endedMs?: number
}

/** The parts of the bot's tables that the promises are about. Money is in pesewas. */
export interface Database {
  purchases: PurchaseRow[]
  orders: OrderRow[]
  recipients: { orderId: string; phone: string; status: string | null }[]
  notices: { chatId: number; subject: string }[]
  /** Messages that warn of an order with an unknown outcome, until it is known. */
  warnings: { chatId: number; orderId: string; says: string; isOwed: boolean }[]
  /** References that callbacks to an order's address named. */
  named: { orderId: string; reference: string }[]
  members: {
    userId: number
    accountId: string
    chatId: number
    role: string
    dailyLimitPesewas: number | null
    /** When they joined, and when they were last allowed to order again, ms since 1970. */
    createdAtMs: number
    resumedAtMs: number | null
  }[]
  /** People who became agents by an owner's invitation. */
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
  /** The recipients as JSON. */
  lines: string
  cardMessageId: number | null
  isConfirmed: boolean
  /** A word for what is special about it, such as `by_setting`: ordered without a press of Confirm. */
  remark: string | null
}

export interface OrderRow {
  id: string
  purchaseId: string
  accountId: string
  userId: number
  chatId: number
  /** The chat of the owner to whom an agent's order is also reported. */
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
  /** When the order was last sent, ms since 1970. */
  sentAtMs: number | null
  /** Whether its phones and texts were erased. */
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
    /** The time from which `/transactions` lists the entry. */
    visibleAtMs: number
  }[]
  orders: {
    reference: string
    accountId: string
    phones: { phone: string }[]
    webhookUrl: string | null
    /** The provider's status of the order, if the run lasted until the bot had time to learn it. */
    status?: string
  }[]
  requests: {
    at: string
    method: string
    path: string
    /** Null if the connection broke. */
    status: number | null
    accountId: string | null
    body?: unknown
  }[]
}

/** The simulated Telegram's history, as `GET /_sim/history` gives it; oldest first. */
export interface Telegram {
  isPaced: boolean
  entries: HistoryEntry[]
  /** When a process of the bot died, was suspended or lost its database. After that it may repeat messages. */
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
  /** Whether Telegram's answer to the bot's call was lost. */
  lost?: boolean
}
