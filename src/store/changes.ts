import type { Placement } from '../domain/placement.ts'

/** A change that a commit has made, for the log, the figures and the security events. */
export type Change = OrderChange | AccountChange

/** Takes in what a query has changed. */
export type Note = (change: Change) => void

/** For queries that only read. */
export const noNote: Note = () => {}

/** A change of an order. */
export type OrderChange = {
  orderId: string
  /** Null: the order of a callback is not there any more. */
  accountId: string | null
  at: Date
} & OrderNews

/** How an order changed. */
export type OrderNews =
  | {
      kind: 'placement'
      /** Null: it was confirmed just now. */
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
  /** The provider's record says what only a callback had told. */
  | { kind: 'status_confirmed' }
  /** Single recipients of a bulk order. */
  | { kind: 'recipients'; status: string; reported: boolean; count: number }
  /** More of its money is seen to have come back. */
  | { kind: 'refund' }
  /** The reason for where it stands has changed, a code. */
  | { kind: 'reason'; reason: string }
  /** A callback on its own token was stored. */
  | { kind: 'callback'; status: string }

/** A change of an account: its people, its credentials, its standing at the provider. */
export type AccountChange =
  | { kind: 'connected' | 'left'; accountId: string; userId: number; role: 'owner' | 'agent' }
  /** Its credentials were replaced; its last owner has left; its credentials were erased. */
  | { kind: 'credentials_replaced' | 'closing' | 'erased'; accountId: string }
  /**
   * `suspected`: the provider refused its credentials once. `refused`: it refused them again when that was verified.
   * `accepted`: it accepts them again.
   */
  | { kind: 'suspected' | 'refused' | 'accepted'; accountId: string }
  /** Nothing is asked for it until then. */
  | { kind: 'frozen'; accountId: string; until: Date }

type PlacementChange = Extract<OrderChange, { kind: 'placement' }>

/** How long an order's outcome was unknown, from the send until it was settled, s; null for any other change. */
export const reconciledAfter = ({ from, to, sentAt, at }: PlacementChange): number | null => {
  const isSettled = (from === 'unconfirmed' || from === 'review') && (to === 'placed' || to === 'not_placed')
  return isSettled && sentAt ? secondsBetween(sentAt, at) : null
}

/** Seconds, never negative: two clocks may differ. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / 1000)
