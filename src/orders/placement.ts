import type { PlacementOutcome, RejectionStatus } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'

/**
 * The bot's own state of an order, kept apart from the provider's status word.
 *
 * | from | to | when |
 * |---|---|---|
 * | (confirmed) | `queued` | the person confirmed: one compare-and-set on the purchase |
 * | `queued` | `sending` | committed, with a lease, before the first byte leaves |
 * | `queued` | `cancelled` | the person, or nothing that could be bought is left |
 * | `queued` | `expired` | it waited too long and nobody can be asked |
 * | `queued` | `superseded` | price changed or unreadable, or waited 15 minutes: a new draft asks again |
 * | `queued` | `unconfirmed` | the database is a restored copy: the one that it was copied from may have sent it |
 * | `sending` | `queued` | certain that nothing was executed: 429, or no byte sent |
 * | `sending` | `placed` | the provider gave a reference |
 * | `sending` | `rejected` | a definite no |
 * | `sending` | `not_placed` | three times unreachable, no byte sent |
 * | `sending` | `unconfirmed` | everything else, and a lease that ran out: nobody knows |
 * | `sending` | `unconfirmed` | a 409 that no open order of ours explains: this very POST may have been repeated on the way |
 * | `unconfirmed`, `rejected`, `not_placed`, `review` | `placed` | proof |
 * | `unconfirmed` | `not_placed` | a complete read of the wallet shows no debit |
 * | `unconfirmed` | `review` | debits and orders do not pair up |
 * | `placed` | `unconfirmed` | only where its reference was inferred from a debit: proven to be another order's |
 * | `review` | `not_placed` | on the person's word |
 *
 * From `unconfirmed` nothing leads back to `queued`: a POST whose outcome is unknown is never repeated.
 */
export const placements = [
  'queued',
  'sending',
  'placed',
  'rejected',
  'unconfirmed',
  'not_placed',
  'review',
  'cancelled',
  'expired',
  'superseded',
] as const

export type Placement = (typeof placements)[number]

const arrows: Record<Placement, readonly Placement[]> = {
  queued: ['sending', 'cancelled', 'expired', 'superseded', 'unconfirmed'],
  sending: ['queued', 'placed', 'rejected', 'not_placed', 'unconfirmed'],
  unconfirmed: ['placed', 'not_placed', 'review'],
  review: ['placed', 'not_placed'],
  rejected: ['placed'],
  not_placed: ['placed'],
  placed: ['unconfirmed'],
  cancelled: [],
  expired: [],
  superseded: [],
}

export const mayGo = (from: Placement, to: Placement): boolean => arrows[from].includes(to)

/** The states from which an order may come to this one: the guard of the update that takes it there. */
export const sourcesOf = (to: Placement): Placement[] => placements.filter((from) => mayGo(from, to))

/** The states in which proof that the order exists is taken, whoever holds a lease. */
export const provable: readonly Placement[] = sourcesOf('placed')

/** States in which money may have moved, or will, without a final word. */
export const unsettled: readonly Placement[] = ['queued', 'sending', 'unconfirmed', 'review']

export const leaseMs = 30_000
/** Least time that a lease must have left when the first byte leaves: the deadline of a POST. */
export const leaseReserveMs = 20_000
/** What was confirmed longer ago asks again before it is sent. */
export const staleConfirmationMs = 15 * 60_000
/** After so many tries that certainly sent nothing the order is `not_placed`. */
export const mostUnreachable = 3

/** What the placement is after an attempt, and what is known by it. */
export type Step =
  | {
      to: 'placed'
      reference: string
      status: string
      chargedPesewas: Pesewas | null
      /** For how many recipients it was taken, where the provider said so. */
      acceptedQuantity: number | null
      balancePesewas: Pesewas | null
      placedAt: Date | null
    }
  | { to: 'rejected'; reason: Refusal; type: string; message: string | null }
  /** `refusal`: a 409 that may be about this very POST. */
  | { to: 'unconfirmed'; reason: string; refusal?: { type: string; message: string | null } }
  | { to: 'queued'; reason: 'rate_limited'; waitMs: number; freezes: true }
  | { to: 'queued'; reason: 'unreachable' | 'interrupted'; waitMs: number; freezes: false }
  | { to: 'not_placed'; reason: 'unreachable' | 'not_made' }

/** Why an order that is `not_placed` was certainly never sent: no debit can be its own. */
export const neverSent: readonly (string | null)[] = ['unreachable', 'not_made'] satisfies Extract<
  Step,
  { to: 'not_placed' }
>['reason'][]

/** `not_made`: our own client refused to make a request of the order, so there was nothing to send. */
export type AttemptOutcome = PlacementOutcome<Placed> | { kind: 'not_made' }

/** What a definite no is about. */
export type Refusal = 'invalid' | 'unauthorized' | 'balance' | 'not_found' | 'pending' | 'unprocessable'

/** Told by the HTTP status (API §7): the type beside it is text that a provider may word otherwise. */
const refusals: Record<RejectionStatus, Refusal> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'balance',
  404: 'not_found',
  409: 'pending',
  422: 'unprocessable',
}

/** What both kinds of placed order have in common. */
export interface Placed {
  reference: string
  status: string
  placedAt: Date | null
  chargedPesewas: Pesewas | null
  acceptedQuantity: number | null
}

/**
 * What an attempt's outcome means for the order.
 * @param attempts how many earlier tries certainly sent nothing for want of a connection.
 */
export const stepAfter = (outcome: AttemptOutcome, attempts: number): Step => {
  switch (outcome.kind) {
    case 'placed':
      return {
        to: 'placed',
        reference: outcome.order.reference,
        status: outcome.order.status,
        chargedPesewas: outcome.order.chargedPesewas,
        acceptedQuantity: outcome.order.acceptedQuantity,
        balancePesewas: outcome.walletBalancePesewas,
        placedAt: outcome.order.placedAt,
      }
    case 'rejected':
      return {
        to: 'rejected',
        reason: refusals[outcome.httpStatus],
        type: outcome.type,
        message: outcome.message ?? outcome.error,
      }
    case 'unconfirmed':
      return { to: 'unconfirmed', reason: outcome.reason }
    case 'not_sent':
      return afterNothingSent(outcome, attempts)
    case 'not_made':
      return { to: 'not_placed', reason: 'not_made' }
  }
}

const afterNothingSent = (
  outcome: Extract<PlacementOutcome<Placed>, { kind: 'not_sent' }>,
  attempts: number,
): Step => {
  switch (outcome.reason) {
    case 'rate_limited':
      return { to: 'queued', reason: 'rate_limited', waitMs: outcome.retryAfterMs, freezes: true }
    case 'refused_start':
    case 'aborted':
      return { to: 'queued', reason: 'interrupted', waitMs: 0, freezes: false }
    case 'unreachable':
      return attempts + 1 < mostUnreachable
        ? { to: 'queued', reason: 'unreachable', waitMs: 2_000 * 3 ** attempts, freezes: false }
        : { to: 'not_placed', reason: 'unreachable' }
  }
}
