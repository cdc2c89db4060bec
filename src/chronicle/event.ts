import type { Placement } from '../orders/placement.ts'
import type { Member } from '../store/accounts.ts'

/** What happened to an order or an account, told once it is committed. */
export type ChronicleEvent = OrderEvent | AccountEvent

export type OrderEvent = {
  orderId: string
  /** Null where it is not known, or the order is not there any more. */
  accountId: string | null
  at: Date
} & OrderChange

export type OrderChange =
  | {
      kind: 'placement'
      /** Null: it was confirmed just now. */
      from: Placement | null
      to: Placement
      /** A code. */
      reason: string | null
      /** When it was confirmed; null where nobody looked. */
      createdAt: Date | null
      /** When its first byte may have left; null where it did not, or nobody looked. */
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
  /** Why it stands as it does has changed, a code. */
  | { kind: 'reason'; reason: string }
  /** A callback on its own token was stored. */
  | { kind: 'callback'; status: string }

export type AccountEvent =
  | { kind: 'connected' | 'left'; accountId: string; userId: number; role: Member['role'] }
  /** Its credentials were replaced, its last owner has left, its credentials were erased. */
  | { kind: 'credentials_replaced' | 'closing' | 'erased'; accountId: string }
  /** The provider refused its credentials once, and again when that was verified; it accepts them again. */
  | { kind: 'suspected' | 'refused' | 'accepted'; accountId: string }
  /** Nothing is asked for it until then. */
  | { kind: 'frozen'; accountId: string; until: Date }

type Move = Extract<OrderEvent, { kind: 'placement' }>

/** How long it took, from the send, until the outcome of an order of unknown outcome was known, s; null of all else. */
export const settledAfter = ({ from, to, sentAt, at }: Move): number | null => {
  const isSettled = (from === 'unconfirmed' || from === 'review') && (to === 'placed' || to === 'not_placed')
  return isSettled && sentAt ? secondsBetween(sentAt, at) : null
}

/** Seconds, none of them negative: two clocks may differ. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / 1000)
