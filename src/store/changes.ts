import type { Placement } from '../domain/order/placement.ts'

/** A change that a commit has made, for the log, the metrics and the security events. */
export type Change = OrderChange | AccountChange

export type Note = (change: Change) => void

/** For callers whose queries only read. */
export const noNote: Note = () => {}

export type OrderChange = {
  orderId: string
  /** Null for a stored callback: its order is read when it is applied. */
  accountId: string | null
  at: Date
} & OrderNews

export type OrderNews =
  | {
      kind: 'placement'
      /** Null if the order was just confirmed. */
      from: Placement | null
      to: Placement
      /** A code, such as `no_debit`. */
      reason: string | null
      /** When the order was confirmed. */
      createdAt: Date
      /** When the order's POST may have been sent; null if nothing was sent. */
      sentAt: Date | null
    }
  | {
      kind: 'status'
      /** The status in the provider's words. */
      status: string
      reported: boolean
      deliverySeconds: number | null
    }
  /** The provider's record confirms a status that only a callback had reported. */
  | { kind: 'status_confirmed' }
  /** Some recipients of a bulk order have a new status. */
  | { kind: 'recipients'; status: string; reported: boolean; count: number }
  /** A higher refund of the order was seen. */
  | { kind: 'refund' }
  /** The code that gives the reason for the order's placement has changed. */
  | { kind: 'reason'; reason: string }
  /** A callback that arrived at the order's own address was stored. */
  | { kind: 'callback'; status: string }

/** A change of an account: its members, its credentials, or how the provider treats it. */
export type AccountChange =
  | { kind: 'connected' | 'left'; accountId: string; userId: number; role: 'owner' | 'agent' }
  /** `closing`: its last owner has left. `erased`: its credentials were erased. */
  | { kind: 'credentials_replaced' | 'closing' | 'erased'; accountId: string }
  /**
   * `suspected`: the provider refused the account's credentials once. `refused`: it refused them again in a check.
   * `accepted`: it accepts them again.
   */
  | { kind: 'suspected' | 'refused' | 'accepted'; accountId: string }
  /** No requests are sent for this account until then, because the provider asked for a pause. */
  | { kind: 'frozen'; accountId: string; until: Date }

type PlacementChange = Extract<OrderChange, { kind: 'placement' }>

/**
 * How many seconds an order's outcome was unknown, counted from the send; null if this change did not end the
 * uncertainty.
 */
export const reconciledAfter = ({ from, to, sentAt, at }: PlacementChange): number | null => {
  const isSettled = (from === 'unconfirmed' || from === 'review') && (to === 'placed' || to === 'not_placed')
  return isSettled && sentAt ? secondsBetween(sentAt, at) : null
}

/** The seconds from one time to another; never negative, because the two times may be from different clocks. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / 1000)
