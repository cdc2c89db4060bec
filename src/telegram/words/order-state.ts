import type { Order, PricelessOrder, Recipient } from '../../domain/order/order.ts'
import { stateOf } from '../../domain/order/progress.ts'
import { foreignWord } from '../chat/screen.ts'

const marks: Record<string, string> = {
  placed: '🟡',
  processing: '🟡',
  delivered: '✅',
  failed: '❌',
  cancelled: '🚫',
  refunded: '↩️',
}

export const orderMark = (order: Pick<Order, 'placement' | 'status'>): string => {
  if (order.placement === 'placed')
    return (Object.hasOwn(marks, order.status ?? '') && marks[order.status ?? '']) || '🟡'
  if (order.placement === 'queued' || order.placement === 'sending') return '⏳'
  return order.placement === 'unconfirmed' || order.placement === 'review' ? '❓' : '❌'
}

const placementWords: Record<Order['placement'], string> = {
  queued: 'waiting',
  sending: 'waiting',
  placed: 'placed',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed',
  not_placed: 'not placed',
  review: 'to review',
  cancelled: 'cancelled',
  superseded: 'cancelled',
}

export const placementWord = (placement: Order['placement']): string => placementWords[placement]

/** The status that people read: the provider's word, or a word of the bot if the provider has given none. */
export const statusWord = (
  order: Pick<Order, 'placement' | 'status' | 'statusReported' | 'reason'>,
): string => {
  if (order.placement !== 'placed' || order.status === null) return placementWords[order.placement]
  const stale = order.reason === 'stale' ? ' · stale' : ''
  return `${foreignWord(order.status)}${order.statusReported ? ' (reported)' : ''}${stale}`
}

/** The status of one number of an order. */
export const recipientWord = (order: PricelessOrder, recipient: Recipient): string => {
  const state = stateOf(order, recipient)
  switch (state.kind) {
    case 'placement':
      return placementWords[state.placement]
    case 'status':
      return `${foreignWord(state.status)}${state.reported ? ' (reported)' : ''}`
    case 'not_known':
      return 'not known'
  }
}
