import type { PlacementOutcome, RejectionStatus, UnconfirmedReason } from '../../provider/index.ts'
import type { Pesewas } from '../../provider/money.ts'

/**
 * The bot's own state of an order, kept apart from the provider's status.
 *
 * | from | to | when |
 * |---|---|---|
 * | (confirmed) | `queued` | the person confirmed: one compare-and-set on the purchase |
 * | `queued` | `sending` | committed, with a lease, before anything is sent |
 * | `queued` | `cancelled` | the person cancelled or may no longer order, or the bundle is no longer sold |
 * | `queued` | `superseded` | the price changed or is unreadable, or 15 minutes passed: a new draft asks again |
 * | `queued` | `unconfirmed` | the database is a restored copy: the bot with the original may have sent the order |
 * | `sending` | `queued` | it is certain that nothing was executed: 429, or no byte sent |
 * | `sending` | `placed` | the provider gave a reference |
 * | `sending` | `rejected` | the provider definitely refused |
 * | `sending` | `not_placed` | no byte was sent: three times unreachable, or no request could be made |
 * | `sending` | `unconfirmed` | any other outcome, or the lease ran out: nobody knows |
 * | `sending` | `unconfirmed` | a 409 that no open order of ours explains: a proxy may have repeated this very POST |
 * | `unconfirmed`, `rejected`, `not_placed`, `review` | `placed` | proof, or a debit that pairs up with the order |
 * | `unconfirmed` | `not_placed` | a complete read of the wallet shows no debit |
 * | `unconfirmed` | `review` | debits and orders cannot be paired |
 * | `placed` | `unconfirmed` | its reference was inferred from a debit, and is proven to be another order's |
 * | `review` | `not_placed` | the person says so |
 *
 * No arrow leads from `unconfirmed` back to `queued`: a POST whose outcome is unknown is never repeated.
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
  'superseded',
] as const

export type Placement = (typeof placements)[number]

const arrows: Record<Placement, readonly Placement[]> = {
  queued: ['sending', 'cancelled', 'superseded', 'unconfirmed'],
  sending: ['queued', 'placed', 'rejected', 'not_placed', 'unconfirmed'],
  unconfirmed: ['placed', 'not_placed', 'review'],
  review: ['placed', 'not_placed'],
  rejected: ['placed'],
  not_placed: ['placed'],
  placed: ['unconfirmed'],
  cancelled: [],
  superseded: [],
}

export const mayGo = (from: Placement, to: Placement): boolean => arrows[from].includes(to)

/**
 * The states from which an order may go to `to`. The update that writes `to` changes only orders in one of these
 * states.
 */
export const sourcesOf = (to: Placement): Placement[] => placements.filter((from) => mayGo(from, to))

/** The states in which proof that the order exists is accepted, even if another process holds its lease. */
export const provable: readonly Placement[] = sourcesOf('placed')

/** The states that are not final: money may have moved, or may still move. */
export const openPlacements: readonly Placement[] = ['queued', 'sending', 'unconfirmed', 'review']

/** How long a process may take to send an order once its placement is `sending`. */
export const sendLeaseMs = 30_000
/** After this time without an answer, ms, the card says that the provider is slow. */
export const slowAnswerMs = 5_000
/** How much of the lease must be left when the request is sent: as long as a POST may take. */
export const leaseReserveMs = 20_000
/** An order is not sent if its confirmation is older than this. The person is asked again. */
export const staleConfirmationMs = 15 * 60_000
/** After this many attempts that certainly sent nothing, the order is `not_placed`. */
export const maxUnreachable = 3

/** The placement after an attempt to send, with what the attempt revealed. */
export type PlacementStep =
  | {
      to: 'placed'
      reference: string
      status: string
      chargedPesewas: Pesewas | null
      /** How many recipients the provider accepted, if it said so. */
      acceptedQuantity: number | null
      balancePesewas: Pesewas | null
      placedAt: Date | null
    }
  | { to: 'rejected'; reason: RefusalKind; type: string; message: string | null }
  /**
   * `refusal`: set for a 409 that may be about this very POST. `httpStatus`: the status of an answer that neither
   * accepted nor rejected the order.
   */
  | {
      to: 'unconfirmed'
      reason: UnconfirmedReason | 'pending' | 'reference_taken'
      refusal?: { type: string; message: string | null }
      httpStatus?: number
    }
  | { to: 'queued'; reason: 'rate_limited'; waitMs: number; freezes: true }
  | { to: 'queued'; reason: 'unreachable' | 'interrupted'; waitMs: number; freezes: false }
  | { to: 'not_placed'; reason: 'unreachable' | 'not_made' }

/** The reasons for `not_placed` that mean the order was certainly never sent, so that no debit can be its own. */
export const neverSent: readonly (string | null)[] = ['unreachable', 'not_made'] satisfies Extract<
  PlacementStep,
  { to: 'not_placed' }
>['reason'][]

/** `not_made`: our own client refused to make the request, so nothing was sent. */
export type AttemptOutcome = PlacementOutcome<Placed> | { kind: 'not_made' }

export type RefusalKind = 'invalid' | 'unauthorized' | 'balance' | 'not_found' | 'pending' | 'unprocessable'

/** Only the HTTP status decides (API §7). The error's type is free text, which the provider may change. */
const refusals: Record<RejectionStatus, RefusalKind> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'balance',
  404: 'not_found',
  409: 'pending',
  422: 'unprocessable',
}

/** The fields that single and bulk orders share in the answer to their POST. */
export interface Placed {
  reference: string
  status: string
  placedAt: Date | null
  chargedPesewas: Pesewas | null
  acceptedQuantity: number | null
}

/**
 * The order's next step after an attempt.
 * @param attempts how many earlier attempts found no connection, and so certainly sent nothing
 */
export const stepAfter = (outcome: AttemptOutcome, attempts: number): PlacementStep => {
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
      return {
        to: 'unconfirmed',
        reason: outcome.reason,
        ...(outcome.httpStatus !== null && { httpStatus: outcome.httpStatus }),
      }
    case 'not_sent':
      return afterNothingSent(outcome, attempts)
    case 'not_made':
      return { to: 'not_placed', reason: 'not_made' }
  }
}

const afterNothingSent = (
  outcome: Extract<PlacementOutcome<Placed>, { kind: 'not_sent' }>,
  attempts: number,
): PlacementStep => {
  switch (outcome.reason) {
    case 'rate_limited':
      return { to: 'queued', reason: 'rate_limited', waitMs: outcome.retryAfterMs, freezes: true }
    case 'refused_start':
    case 'aborted':
      return { to: 'queued', reason: 'interrupted', waitMs: 0, freezes: false }
    case 'unreachable':
      return attempts + 1 < maxUnreachable
        ? { to: 'queued', reason: 'unreachable', waitMs: 2_000 * 3 ** attempts, freezes: false }
        : { to: 'not_placed', reason: 'unreachable' }
  }
}
