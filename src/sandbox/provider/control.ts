/**
 * How the chat page and tests see and control the simulated provider, beyond the documented API. The page uses these
 * routes over HTTP below `/_sim`; tests call the same operations as methods.
 *
 * | route | body | answer |
 * |---|---|---|
 * | `GET /_sim/state` | | `ProviderState` |
 * | `POST /_sim/orders/:reference/status` | `{ status, phone?, quiet? }` | changes the status of an order (or of one
 * recipient) and sends its callback unless `quiet` |
 * | `POST /_sim/faults` | `Fault` | adds a fault; answers with its id |
 * | `DELETE /_sim/faults`, `DELETE /_sim/faults/:id` | | removes all faults, or one |
 * | `POST /_sim/settings` | `Partial<ProviderSettings>` | changes settings; answers with all of them |
 * | `POST /_sim/accounts/:id` | `{ balancePesewas?, apiKey?, apiSecret?, disabled?, prices? }` | changes one account
 * |
 * | `POST /_sim/accounts/:id/orders` | `{ bundleId, phones }` | places an order as another program would that has
 * the account's key: `ProviderOrderState` |
 * | `GET /_sim/accounts/:id/bundles` | | `ProviderBundleState[]`: the bundles at that account's prices |
 * | `GET /_sim/ledger` | | `ProviderLedger` |
 * | `POST /_sim/reset` | | resets everything to the start |
 * | `GET /_sim/events` | | server-sent events: a `state` event with `ProviderState` after each change |
 */

/** The faults of the network between the client and the provider, and of the provider itself. */
export const faultKinds = {
  answer_lost: 'processed and debited, then the connection is reset without an answer',
  reset_before: 'the connection is reset before anything is processed',
  hang: 'never answered; processed first when `processed` is true',
  slow: 'answered after `delayMs`',
  error_before: '`status` (500 by default), nothing processed',
  error_after: '`status` (500 by default), processed and debited',
  bad_json: 'processed, answered with `body` or with broken JSON',
  no_reference: 'processed, a 201 that lacks the reference',
  repeated: 'something on the way sends the request twice, and the client gets the second answer',
  redirect: '307 to another path, nothing processed',
  rate_limited: '429 with `retryAfter` as the raw value of the header (null: no header)',
  refuse: 'answered with the §7 error `type`, nothing processed',
  entries_reversed: '`/transactions` from old to new: the newest are on the last page',
  entries_many: '`/transactions` with 250 older entries, all of the same second',
  entries_reworded: '`/transactions` with `message` as the description of every entry',
  entries_unreferenced: '`/transactions` without the reference of any entry',
  status_open: '`/order/status/…` says `processing` for the whole order, and nothing about its recipients',
  callback_early: 'the callback is sent before the answer to the POST',
  callback_late: 'callbacks are sent `delayMs` later',
  callback_twice: 'each callback is sent twice',
  callback_reversed: 'callbacks of an order are held until it is final and then sent last first',
  callback_never: 'no callback is sent',
  debit_late: 'processed, but the debit shows in `/transactions` only after `delayMs`',
  debit_twice: 'processed, and debited twice under one reference',
} as const

export type FaultKind = keyof typeof faultKinds

/** A fault to add. `faultKinds` explains which fields each kind uses. */
export interface Fault {
  kind: FaultKind
  /** Path below the base URL, such as `/order` (default: the two POSTs for request faults). */
  path?: string
  /** The id of an account. Without it, the fault strikes requests and orders of all accounts. */
  account?: string
  /** Strikes only orders for bundles of this network. */
  network?: string
  /** How many times the fault strikes (default 1); null means until it is removed. */
  times?: number | null
  status?: number
  delayMs?: number
  retryAfter?: string | null
  type?: string
  message?: string
  body?: string
  processed?: boolean
}

/** How the provider behaves. Times are in milliseconds. */
export interface ProviderSettings {
  /**
   * How long an order stays `processing` before it is delivered automatically. Null: it is delivered only when the
   * page or a test says so.
   */
  deliverAfterMs: number | null
  /** How long the provider waits before it sends a callback. */
  callbackDelayMs: number
  /**
   * How long it waits before each further try of a callback that was not answered with 200 within
   * `callbackTimeoutMs`.
   */
  callbackRetriesMs: number[]
  limits: { perMinute: number; perHour: number; perDay: number }
  /** How far the provider's clock is ahead of this machine's. */
  clockSkewMs: number
  /** Whether the `Date` header has the right time, as if a proxy wrote it, or the time of the provider's clock. */
  dateByProxy: boolean
  /** How long the receiver of a callback may take to answer. The API document says 5 s (API §6). */
  callbackTimeoutMs: number
  /**
   * The time between `failed` or `cancelled` and the refund. 0: at once. Null: the money is credited only when the
   * status becomes `refunded`.
   */
  refundAfterMs: number | null
  /** Whether a status request finds the orders of all accounts, or only the caller's own. */
  lookUp: 'own' | 'all'
  /** Whether the status record of a bulk order lists its `recipients`. */
  bulkRecipients: boolean
  /** Whether a bulk order sends callbacks for its own status, for that of each recipient, or for both. */
  bulkCallbacks: 'order' | 'recipient' | 'both'
  /**
   * What happens if a phone in a bulk order has a pending order or occurs twice. `refuse`: the whole order is
   * refused. `skip`: these phones are left out, so that the order has fewer recipients.
   */
  bulkPending: 'refuse' | 'skip'
}

/** An account with its money. */
export interface ProviderAccountState {
  id: string
  name: string
  accountType: 'user' | 'agent' | 'dealer' | 'merchant'
  apiKey: string
  apiSecret: string
  balancePesewas: number
  disabled: boolean
  /** In pesewas, by bundle id. They replace the prices of the account's type. */
  prices: Record<string, number>
}

/** A bundle as one account sees it (API §2). */
export interface ProviderBundleState {
  id: number
  network: string
  volume: string
  offerSlug: string
  pricePesewas: number
}

export interface ProviderOrderState {
  reference: string
  type: 'single' | 'bulk'
  accountId: string
  network: string
  volume: string
  phones: { phone: string; status: string }[]
  pricePesewas: number
  totalPesewas: number
  status: string
  placedAt: string
  deliveredAt: string | null
  webhookUrl: string | null
}

export interface ProviderTransactionState {
  id: number
  accountId: string
  type: 'debit' | 'credit'
  amountPesewas: number
  description: string
  reference: string
  balanceAfterPesewas: number
  createdAt: string
}

/** A request that arrived. Its headers are left out, because they contain the secrets. */
export interface ProviderRequestState {
  at: string
  method: string
  /** The path below the base URL, with its query. */
  path: string
  /** Null until the request is answered, and also if the connection broke. */
  status: number | null
  /** The account with these credentials; null if they are not valid. */
  accountId: string | null
  /** The parsed body of a POST, or its text if it is not JSON. */
  body?: unknown
  /** The text of the answer. Null until the request is answered, and also if the connection broke. */
  answer: string | null
}

/** One try of a callback. */
export interface ProviderCallbackState {
  at: string
  reference: string
  status: string
  /** The receiver's HTTP status; null if it did not answer in time. */
  answer: number | null
  /** 1 for the first try. */
  attempt: number
  /** The payload as sent (API §6). */
  body: Record<string, unknown>
}

/** All entries and orders of a run, oldest first, for checking afterwards what was charged. */
export interface ProviderLedger {
  entries: (Pick<ProviderTransactionState, 'accountId' | 'type' | 'amountPesewas' | 'reference'> & {
    /** By this machine's clock, ms since 1970. */
    atMs: number
    visibleAtMs: number
  })[]
  orders: ProviderOrderState[]
  requests: Omit<ProviderRequestState, 'answer'>[]
}

export interface ProviderState {
  settings: ProviderSettings
  accounts: ProviderAccountState[]
  /** Newest first. */
  orders: ProviderOrderState[]
  /** Newest first. */
  transactions: ProviderTransactionState[]
  faults: (Fault & { id: string; left: number | null })[]
  /** Newest first, at most 200. `path` is below the base URL. `status` is null if the connection broke. */
  requests: { at: string; method: string; path: string; status: number | null }[]
  /**
   * Tries of callbacks, newest first, at most 200. `answer` is the receiver's HTTP status; null if it did not
   * answer.
   */
  callbacks: { at: string; reference: string; status: string; answer: number | null; attempt: number }[]
}
