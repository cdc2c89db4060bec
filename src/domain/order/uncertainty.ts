import type { Announcement } from '../notice.ts'
import type { Order } from './order.ts'

/** Whether the order may have been charged, but nobody knows. A warning about it must stay until that is known. */
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
 * Whether this news about a doubt is out of date: the outcome became known before the news was sent, or the doubt
 * ended before anybody heard of it. A person's answer about an order in review has no message of its own, so that
 * news is still sent and shows the answer.
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
 * What a warning says. `uncertain`: the order may have been charged. `held`: the order may have been charged, and
 * the rest of its list waits for it. `asked`: the list waits, although the order is settled.
 */
export const warningWords = ['uncertain', 'held', 'asked'] as const

export type WarningWord = (typeof warningWords)[number]
