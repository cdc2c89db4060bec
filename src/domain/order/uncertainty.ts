import type { Announcement } from '../notice.ts'
import type { Order } from './order.ts'

/** Whether the order may have been charged, but nobody knows. A warning about it has to stay until that is known. */
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
    case 'superseded':
      return false
  }
}

/**
 * Whether the news is out of date: it is about a doubt whose outcome became known before the news was sent, or about a
 * refund that later news tells in full. If the person has answered about an order in review, the news is still sent,
 * because that answer has no message of its own.
 */
export const isOutdated = (
  what: Announcement,
  { placement, refundedPesewas }: Pick<Order, 'placement' | 'refundedPesewas'>,
): boolean => {
  if (what.about === 'refund') return (refundedPesewas ?? 0) > what.refundedPesewas
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
 * What a warning says. `uncertain`: the order may have been charged. `held`: the order may have been charged, and the
 * rest of its list waits for it. `asked`: the order is settled, but the rest of its list still waits for the person's
 * answer.
 */
export const warningWords = ['uncertain', 'held', 'asked'] as const

export type WarningWord = (typeof warningWords)[number]
