import type { Placement } from '../domain/order/placement.ts'

/** A change that a commit has made, for the log, the metrics and the security events. */
export type Change = OrderChange | AccountChange

/** Receives each change that a query makes. */
export type Note = (change: Change) => void

/** For queries that only read. */
export const noNote: Note = () => {}

/** A change of an order. */
export type OrderChange = {
  orderId: string
  /** Null: the order of a callback does not exist any more. */
  accountId: string | null
  at: Date
} & OrderNews

/** How an order changed. */
export type OrderNews =
  | {
      kind: 'placement'
      /** Null: the order was just confirmed. */
      from: Placement | null
      to: Placement
      /** A code. */
      reason: string | null
      /** When it was confirmed. */
      createdAt: Date
      /** When its first byte may have left; null if it did not leave. */
      sentAt: Date | null
    }
  | {
      kind: 'status'
      /** The provider's word. */
      status: string
      reported: boolean
      deliverySeconds: number | null
    }
  /** The provider's record confirms a status that only a callback had reported. */
  | { kind: 'status_confirmed' }
  /** Single recipients of a bulk order have a new status. */
  | { kind: 'recipients'; status: string; reported: boolean; count: number }
  /** A higher refund of the order was seen. */
  | { kind: 'refund' }
  /** The reason for its placement, a code, has changed. */
  | { kind: 'reason'; reason: string }
  /** A callback to the order's own address was stored. */
  | { kind: 'callback'; status: string }

/** A change of an account: its members, its credentials, or how the provider treats it. */
export type AccountChange =
  | { kind: 'connected' | 'left'; accountId: string; userId: number; role: 'owner' | 'agent' }
  /** Its credentials were replaced; its last owner has left; its credentials were erased. */
  | { kind: 'credentials_replaced' | 'closing' | 'erased'; accountId: string }
  /**
   * `suspected`: the provider refused its credentials once. `refused`: it refused them again when that was verified.
   * `accepted`: it accepts them again.
   */
  | { kind: 'suspected' | 'refused' | 'accepted'; accountId: string }
  /** The provider is not asked for this account until then. */
  | { kind: 'frozen'; accountId: string; until: Date }

type PlacementChange = Extract<OrderChange, { kind: 'placement' }>

/** How many seconds an order's outcome was unknown, counted from the send; null for any other change. */
export const reconciledAfter = ({ from, to, sentAt, at }: PlacementChange): number | null => {
  const isSettled = (from === 'unconfirmed' || from === 'review') && (to === 'placed' || to === 'not_placed')
  return isSettled && sentAt ? secondsBetween(sentAt, at) : null
}

/** Never negative, because the two times may be of different clocks. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / 1000)
