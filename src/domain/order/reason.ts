import type { UnconfirmedReason } from '../../provider/index.ts'

import type { Placement, RefusalKind } from './placement.ts'

/** Why an order has its placement. The catalogue of texts has words for each reason. */
export interface Reasons {
  queued: 'waits' | 'network_down' | 'verifying' | 'rate_limited' | 'unreachable' | 'interrupted'
  sending: never
  /** `stale`: no news for a week. `likely`: inferred from a debit that may belong to another order. */
  placed: 'stale' | 'likely'
  rejected: RefusalKind
  /**
   * `mistaken`: its reference was proven to be another order's. `reference_taken`: the provider's answer named a
   * reference that another order has.
   */
  unconfirmed:
    | UnconfirmedReason
    | 'interrupted'
    | 'restored'
    | 'pending'
    | 'reference_taken'
    | 'mistaken'
    | 'history_unreadable'
  /** `late_doubt`: the order had no debit when the wallet was checked, but one that may be its own appeared later. */
  not_placed: 'unreachable' | 'not_made' | 'no_debit' | 'by_person' | 'late_doubt'
  review: 'ambiguous' | 'hinted' | 'unexplained' | 'charged_by_person'
  cancelled: 'by_person' | 'bundle_gone' | 'disconnected' | 'agent_left'
  superseded: PurchaseRemark
}

/** A reason that this version knows. */
export type Reason = Reasons[Placement]

/** A reason that another version wrote. It is kept in the row, and shown as if there were none. */
export type OtherReason = string & { readonly __brand: 'reason of another version' }

type Words<P extends Placement> = [Reasons[P]] extends [never]
  ? Record<never, true>
  : Record<Reasons[P], true>

const words: { [P in Placement]: Words<P> } = {
  queued: {
    waits: true,
    network_down: true,
    verifying: true,
    rate_limited: true,
    unreachable: true,
    interrupted: true,
  },
  sending: {},
  placed: { stale: true, likely: true },
  rejected: {
    invalid: true,
    unauthorized: true,
    balance: true,
    not_found: true,
    pending: true,
    unprocessable: true,
  },
  unconfirmed: {
    timeout: true,
    aborted: true,
    connection_lost: true,
    too_large: true,
    server_error: true,
    unexpected_status: true,
    bad_answer: true,
    interrupted: true,
    restored: true,
    pending: true,
    reference_taken: true,
    mistaken: true,
    history_unreadable: true,
  },
  not_placed: { unreachable: true, not_made: true, no_debit: true, by_person: true, late_doubt: true },
  review: { ambiguous: true, hinted: true, unexplained: true, charged_by_person: true },
  cancelled: { by_person: true, bundle_gone: true, disconnected: true, agent_left: true },
  superseded: {
    price_changed: true,
    balance_changed: true,
    prices_unreadable: true,
    unauthorized: true,
    waited_long: true,
    not_certain: true,
    by_setting: true,
    left_over: true,
    topped_up: true,
    reminder: true,
    reminder_unnamed: true,
    restored: true,
    crowded_out: true,
  },
}

const known: ReadonlySet<string> = new Set(Object.values(words).flatMap((each) => Object.keys(each)))

const isReason = (text: string): text is Reason => known.has(text)

export const readReason = (text: string | null): Reason | OtherReason | null =>
  text === null || isReason(text) ? text : (text as OtherReason)

/** The reason, if it belongs to this placement; otherwise null. */
export const reasonIn = <P extends Placement>(
  placement: P,
  reason: Reason | OtherReason | null,
): Reasons[P] | null => (reason !== null && isWordOf(placement, reason) ? reason : null)

const isWordOf = <P extends Placement>(placement: P, reason: string): reason is Reasons[P] & string =>
  Object.hasOwn(words[placement], reason)

/** Why a draft was made or ended, when that was not what the person had just asked for. */
export type PurchaseRemark =
  | 'price_changed'
  | 'balance_changed'
  | 'prices_unreadable'
  | 'unauthorized'
  | 'waited_long'
  /** The person ordered this again, although the failure of the first order is not certain. */
  | 'not_certain'
  /** Confirmed without a second press: the person's settings allow that for a repeated order at the same price. */
  | 'by_setting'
  /** The rest of a list: the lines that were not ready when its first part was confirmed. */
  | 'left_over'
  /** An order that the provider refused because the balance was too low. It is offered again after a top-up. */
  | 'topped_up'
  /** The draft of a reminder that the person has set. `reminder_unnamed`: the number's saved name was deleted since. */
  | 'reminder'
  | 'reminder_unnamed'
  /** The draft ended because it was found in a restored copy. */
  | 'restored'
  /** The draft ended because newer lists of the person took its place. */
  | 'crowded_out'
