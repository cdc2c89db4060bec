import { accountHash } from '../base/log.ts'
import type { Placement } from '../domain/order/placement.ts'
import { type AccountChange, type Change, type OrderChange, reconciledAfter } from '../store/changes.ts'

interface LogLine {
  fields: Record<string, string | number | boolean | undefined>
  words: string
}

/**
 * The log line of a change. It identifies the order and the account, but contains no phone number, name or reference.
 */
export const lineOf = (change: Change): LogLine =>
  'orderId' in change ? orderLine(change) : accountLine(change)

const orderLine = (change: OrderChange): LogLine => {
  const { orderId, accountId } = change
  const order = { orderId, ...(accountId !== null && { account: accountHash(accountId) }) }
  switch (change.kind) {
    case 'placement': {
      const { from, to, reason } = change
      const settled = reconciledAfter(change)
      const fields = {
        ...order,
        ...(from && { from }),
        to,
        ...(reason !== null && { reason }),
        ...(settled !== null && { settledAfterSeconds: settled }),
      }
      return { fields, words: from === null ? 'an order was confirmed' : moves[to] }
    }
    case 'status': {
      const { status, reported } = change
      return {
        fields: { ...order, status: plainWord(status), reported },
        words: 'the status of an order changed',
      }
    }
    case 'status_confirmed':
      return { fields: order, words: 'the reported status of an order was confirmed' }
    case 'recipients': {
      const { status, reported, count } = change
      const fields = { ...order, status: plainWord(status), reported, recipients: count }
      return { fields, words: 'the status of recipients of an order changed' }
    }
    case 'refund':
      return { fields: order, words: 'a refund of an order was seen' }
    case 'reason':
      return { fields: { ...order, reason: change.reason }, words: 'the reason for an order’s state changed' }
    case 'callback':
      return { fields: { ...order, status: plainWord(change.status) }, words: 'a callback was stored' }
  }
}

const moves: Record<Placement, string> = {
  queued: 'an order is waiting to be sent again',
  sending: 'an order is being sent',
  placed: 'an order was placed',
  rejected: 'an order was rejected',
  unconfirmed: 'the outcome of an order is not known',
  not_placed: 'an order was not placed',
  review: 'an order needs a person’s decision',
  cancelled: 'an order was cancelled',
  superseded: 'an order was replaced by a new draft',
}

const accountLine = (change: AccountChange): LogLine => {
  const account = accountHash(change.accountId)
  switch (change.kind) {
    case 'connected':
      return { fields: { account, role: change.role }, words: 'somebody was connected to an account' }
    case 'left':
      return { fields: { account, role: change.role }, words: 'somebody was disconnected from an account' }
    case 'credentials_replaced':
      return { fields: { account }, words: 'the credentials of an account were replaced' }
    case 'closing':
      return {
        fields: { account },
        words: 'an account has no owner left and will be erased when its orders are done',
      }
    case 'erased':
      return { fields: { account }, words: 'an account was erased' }
    case 'suspected':
      return { fields: { account }, words: 'the provider refused the credentials of an account once' }
    case 'refused':
      return { fields: { account }, words: 'the provider refuses the credentials of an account' }
    case 'accepted':
      return { fields: { account }, words: 'the provider accepts the credentials of an account again' }
    case 'frozen':
      return {
        fields: { account, until: change.until.toISOString() },
        words: 'the provider accepts no more requests for an account until then',
      }
  }
}

/**
 * A status should be one of the provider's single words. Anything else is text from outside, which must not get into
 * the log.
 */
const plainWord = (text: string): string => (/^[a-z][a-z_]{0,30}$/.test(text) ? text : 'other')
