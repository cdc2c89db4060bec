import type { Announcement } from './notice.ts'
import type { Order } from './order.ts'

/** Whether the order may have been charged, but nobody knows: a warning about it must stand until that is known. */
export const isUncertain = ({ placement, reason }: Pick<Order, 'placement' | 'reason'>): boolean => {
  switch (placement) {
    case 'unconfirmed':
      return true
    case 'review':
      return reason !== 'charged_by_person'
    case 'not_placed':
      return reason === 'late_doubt'
    case 'rejected':
      return reason === 'pending'
    case 'queued':
    case 'sending':
    case 'placed':
    case 'cancelled':
    case 'expired':
    case 'superseded':
      return false
  }
}

/**
 * Whether the order was settled before this news of its doubt was sent, or the doubt before anybody was told of it. No
 * message tells a person's answer about an order in review, so that news still goes out and shows the answer.
 */
export const isOutdated = (what: Announcement, { placement }: Pick<Order, 'placement'>): boolean => {
  if (what.about === 'proof') return what.isUntold === true
  if (what.about !== 'placement') return false
  switch (what.while) {
    case 'unconfirmed':
      return placement !== 'unconfirmed'
    case 'review':
      return placement === 'placed'
    default:
      return false
  }
}

/**
 * What a warning says. `uncertain`: the order may have been charged. `held`: that too, and the rest of its list waits for
 * it. `asked`: the list waits, although the order is settled.
 */
export const warningWords = ['uncertain', 'held', 'asked'] as const

/** One of these words. */
export type WarningWord = (typeof warningWords)[number]
