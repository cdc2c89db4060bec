/**
 * How the sandbox's keeper (the chat page or a test) sees and controls the simulated provider, beyond the documented
 * API. The chat page uses these routes over HTTP below `/_sim`; tests call the same operations as methods.
 *
 * | route | body | answer |
 * |---|---|---|
 * | `GET /_sim/state` | | `ProviderState` |
 * | `POST /_sim/orders/:reference/status` | `{ status, phone?, quiet? }` | moves an order (or one recipient) to a status and sends its callback unless `quiet` |
 * | `POST /_sim/faults` | `Fault` | adds a fault; answers with its id |
 * | `DELETE /_sim/faults`, `DELETE /_sim/faults/:id` | | ends all, or one |
 * | `POST /_sim/settings` | `Partial<ProviderSettings>` | the settings in force |
 * | `POST /_sim/accounts/:id` | `{ balancePesewas?, apiKey?, apiSecret?, disabled?, prices? }` | changes one account |
 * | `POST /_sim/accounts/:id/orders` | `{ bundleId, phones }` | an order that somebody else makes with the account's key: `ProviderOrderState` |
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
  repeated: 'something on the way sends the request twice, and the second answer comes back',
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
  /** Id of the account; without it, the fault strikes requests and orders of all accounts. */
  account?: string
  /** Strikes only orders for bundles of this network. */
  network?: string
  /** How many times the fault strikes (default 1); `null`: until it is removed. */
  times?: number | null
  status?: number
  delayMs?: number
  retryAfter?: string | null
  type?: string
  message?: string
  body?: string
  processed?: boolean
}

/** The provider's behaviour; times are in milliseconds. */
export interface ProviderSettings {
  /**
   * How long an order stays `processing` until it is delivered automatically; null: only the keeper (a page or a test)
   * delivers it.
   */
  deliverAfterMs: number | null
  /** The wait before a callback is sent. */
  callbackDelayMs: number
  /** The waits before each further try of a callback that was not answered with 200 within `callbackTimeoutMs`. */
  callbackRetriesMs: number[]
  limits: { perMinute: number; perHour: number; perDay: number }
  /** How far the provider's clock is ahead of this machine's. */
  clockSkewMs: number
  /** True: the `Date` header has the right time, as from a proxy. False: it has the time of the provider's clock. */
  dateByProxy: boolean
  /** How long the receiver of a callback may take to answer; the document says 5 s (API §6). */
  callbackTimeoutMs: number
  /**
   * The wait between `failed` or `cancelled` and the credit; 0: immediately; null: the money is credited only when the
   * status becomes `refunded`.
   */
  refundAfterMs: number | null
  /** Whether the status look-up answers for the references of all accounts, or only for the caller's own. */
  lookUp: 'own' | 'all'
  /** Whether the status record of a bulk order lists its `recipients`. */
  bulkRecipients: boolean
  /** Whether a bulk order sends callbacks for its own status, for each recipient's, or for both. */
  bulkCallbacks: 'order' | 'recipient' | 'both'
  /**
   * What happens with phones in a bulk order that have a pending order or occur twice: `refuse` the whole order, or
   * `skip` these phones, so that it has fewer recipients than were asked for.
   */
  bulkPending: 'refuse' | 'skip'
}

/** An account with its money, as the keeper sees it. */
export interface ProviderAccountState {
  id: string
  name: string
  accountType: 'user' | 'agent' | 'dealer' | 'merchant'
  apiKey: string
  apiSecret: string
  balancePesewas: number
  disabled: boolean
  /** The account's own prices in pesewas, by bundle id, in place of the prices of its type. */
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

/** An order, as the keeper sees it. */
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

/** An entry of a wallet, as the keeper sees it. */
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

/** A request that arrived, without its headers, because they contain the secrets. */
export interface ProviderRequestState {
  at: string
  method: string
  /** The path below the base URL, with its query. */
  path: string
  /** Null until it is answered; it stays null if the connection broke. */
  status: number | null
  /** The account to which its credentials belong, if they are valid. */
  accountId: string | null
  /** The parsed body of a POST; its text if it is not JSON. */
  body?: unknown
  /** The text of the answer; null until it is answered, and if the connection broke. */
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

/** All entries and orders of a run, oldest first, to check afterwards what was charged. */
export interface ProviderLedger {
  entries: (Pick<ProviderTransactionState, 'accountId' | 'type' | 'amountPesewas' | 'reference'> & {
    /** Times by this machine's clock, ms since 1970. */
    atMs: number
    visibleAtMs: number
  })[]
  orders: ProviderOrderState[]
  requests: Omit<ProviderRequestState, 'answer'>[]
}

/** The whole provider, as the keeper sees it. */
export interface ProviderState {
  settings: ProviderSettings
  accounts: ProviderAccountState[]
  /** Newest first. */
  orders: ProviderOrderState[]
  /** Newest first. */
  transactions: ProviderTransactionState[]
  faults: (Fault & { id: string; left: number | null })[]
  /** Requests with their path and the answer's HTTP status (`null`: connection broken), newest first, at most 200. */
  requests: { at: string; method: string; path: string; status: number | null }[]
  /** Tries of callbacks, newest first, at most 200. `answer` is the receiver's HTTP status; null: it did not answer. */
  callbacks: { at: string; reference: string; status: string; answer: number | null; attempt: number }[]
}
