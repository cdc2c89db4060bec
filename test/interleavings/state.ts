import type { AttemptOutcome, Placement } from '../../src/domain/order/placement.ts'

/** Everything at one moment, as plain values, so that equal states can be recognised. Times are in ms. */
export interface State {
  nowMs: number
  /** How far the bot's wall clock is ahead of the real time. */
  aheadMs: number
  /** The purchases, which a person confirms. */
  purchases: { state: 'draft' | 'confirmed'; presses: number }[]
  /** The bot's orders as the database has them. */
  orders: StoredOrder[]
  /** Work in progress, which only a process knows, so that a crash loses it. */
  flights: Flight[]
  /** POSTs that were sent and that the provider has not carried out yet. */
  requests: { id: number; order: number }[]
  /** The charges that the provider has made. */
  charges: Charge[]
  /** Statuses from callbacks that are stored but not applied yet. */
  reports: Report[]
  /** How many faults may still happen, and how often time may still pass. */
  left: { faults: number; waits: number }
  /** Orders that got a callback with a false reference at their own address, so that their reference may be wrong. */
  lied: number[]
  /** The promise that the last move broke. */
  broken: string | null
}

export interface StoredOrder {
  purchase: number
  placement: Placement
  reason: string | null
  /** The index of the charge that the order has as its own. */
  reference: number | null
  inferred: boolean
  otherReference: number | null
  status: string | null
  reported: boolean
  statusAtMs: number | null
  callbackAtMs: number | null
  leaseToken: number | null
  leaseUntilMs: number | null
  createdAtMs: number
  sentAtMs: number | null
  attempts: number
  notBeforeMs: number
  /** Whether the wallet is read for the order. */
  isWatched: boolean
  isRefused409: boolean
  /** How often the POST was sent in a way that the provider may have carried out. */
  posts: number
}

export type Flight =
  /** A handler has read the draft, and is about to confirm it. */
  | { kind: 'press'; purchase: number }
  /** The order is committed as `sending`, but no byte was sent. */
  | { kind: 'ready'; order: number; token: number; endsAtMs: number }
  /** The POST was sent. */
  | { kind: 'sent'; order: number; token: number; request: number }
  /** The outcome is known, but not stored. */
  | { kind: 'answered'; order: number; token: number; outcome: Outcome }
  /** The wallet was read. `entries` are the charges that it showed. */
  | { kind: 'read'; beganMs: number; entries: number[] }
  /** The provider has given a status, which is not stored yet. */
  | { kind: 'poll'; order: number; beganMs: number; charge: number; status: string }

/** An attempt's outcome without its texts. `charge` is the charge that the answer names. */
export type Outcome =
  | { kind: 'placed'; charge: number }
  | { kind: Exclude<AttemptOutcome['kind'], 'placed' | 'not_sent' | 'not_made'> }
  | { kind: 'not_sent'; reason: 'unreachable' | 'refused_start' }

export interface Charge {
  order: number
  request: number
  atMs: number
  /** Whether the wallet shows the charge. */
  isVisible: boolean
  status: 'processing' | 'delivered'
  /** How many callbacks about the charge may still come. */
  callbacks: number
  /** Whether the answer to its POST or a callback to its own address reached the bot and was stored. */
  isProven: boolean
}

export interface Report {
  order: number
  charge: number
  status: string
  atMs: number
}

/** One step of one party. The code between two of its waits is one transaction, so it is one move. */
export interface Move {
  name: string
  to: State
}
