import type { AttemptOutcome, Placement } from '../../src/domain/order/placement.ts'

/** All that there is at one moment, as plain values: two states that read the same are one. Times are ms. */
export interface State {
  nowMs: number
  /** How far the bot's wall clock is ahead. */
  aheadMs: number
  /** By purchase: what its person confirms. */
  purchases: { state: 'draft' | 'confirmed'; presses: number }[]
  /** The bot's orders as they are stored. */
  orders: StoredOrder[]
  /** What processes have begun and know alone: a crash takes it along. */
  flights: Flight[]
  /** POSTs on their way, which the provider has not carried out. */
  requests: { id: number; order: number }[]
  /** What the provider has carried out and charged. */
  charges: Charge[]
  /** Statuses that callbacks told, stored and not used yet. */
  reports: Report[]
  /** How much may still go wrong, and how often time may still pass. */
  left: { faults: number; waits: number }
  /** Orders on whose own token somebody lied: what they hold may be wrong. */
  lied: number[]
  /** The promise that the last move broke. */
  broken: string | null
}

export interface StoredOrder {
  purchase: number
  placement: Placement
  reason: string | null
  /** Index of the charge that it holds. */
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
  /** Its wallet is read for it. */
  isWatched: boolean
  isRefused409: boolean
  /** How often a first byte of it left that may have been carried out. */
  posts: number
}

export type Flight =
  /** A handler has read the draft, and is about to confirm it. */
  | { kind: 'press'; purchase: number }
  /** Committed as `sending`; no byte has left. */
  | { kind: 'ready'; order: number; token: number; endsAtMs: number }
  /** The POST has left. */
  | { kind: 'sent'; order: number; token: number; request: number }
  /** The outcome is known, and not written. */
  | { kind: 'answered'; order: number; token: number; outcome: Outcome }
  /** The wallet was read; `entries` are the charges that it showed. */
  | { kind: 'read'; beganMs: number; entries: number[] }
  /** A status was asked for, and is not written. */
  | { kind: 'poll'; order: number; beganMs: number; charge: number; status: string }

/** An attempt's outcome without its texts. `charge`: what an answer with a reference names. */
export type Outcome =
  | { kind: 'placed'; charge: number }
  | { kind: Exclude<AttemptOutcome['kind'], 'placed' | 'not_sent' | 'not_made'> }
  | { kind: 'not_sent'; reason: 'unreachable' | 'refused_start' }

export interface Charge {
  order: number
  request: number
  atMs: number
  /** The wallet shows it. */
  isVisible: boolean
  status: 'processing' | 'delivered'
  /** How many callbacks it may still cause. */
  callbacks: number
  /** The answer to its POST reached the bot and was written, or its own callback was. */
  isProven: boolean
}

export interface Report {
  order: number
  charge: number
  status: string
  atMs: number
}

/** A move is one thing that happens where the code waits: everything between two of them is one transaction. */
export interface Move {
  name: string
  to: State
}
