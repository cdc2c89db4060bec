import type { Change } from '../store/changes.ts'
import type { SecurityEvent } from './security-trail.ts'

/** The security event of a change; null if the change is not relevant to security. */
export const securityOf = (change: Change): SecurityEvent | null => {
  switch (change.kind) {
    case 'connected':
    case 'left':
      return { kind: change.kind, accountId: change.accountId, userId: change.userId, detail: change.role }
    case 'credentials_replaced':
      return { kind: 'credentials_replaced', accountId: change.accountId, userId: null }
    case 'refused':
      return { kind: 'credentials_refused', accountId: change.accountId, userId: null }
    case 'erased':
      return { kind: 'account_erased', accountId: change.accountId, userId: null }
    default:
      return null
  }
}
