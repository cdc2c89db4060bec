import type { SecurityEvent } from '../accounts/security-journal.ts'
import type { ChronicleEvent } from './event.ts'

/** The security event that an event of the chronicle leaves; null: none. */
export const securityOf = (event: ChronicleEvent): SecurityEvent | null => {
  switch (event.kind) {
    case 'connected':
    case 'left':
      return { kind: event.kind, accountId: event.accountId, userId: event.userId, detail: event.role }
    case 'credentials_replaced':
      return { kind: 'credentials_replaced', accountId: event.accountId, userId: null }
    case 'refused':
      return { kind: 'credentials_refused', accountId: event.accountId, userId: null }
    case 'erased':
      return { kind: 'account_erased', accountId: event.accountId, userId: null }
    default:
      return null
  }
}
